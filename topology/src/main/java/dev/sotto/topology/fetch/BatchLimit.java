package dev.sotto.topology.fetch;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.internal.DefaultRecord;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.utils.internals.BufferSupplier;
import org.apache.kafka.common.utils.internals.ByteBufferOutputStream;

/**
 * Shortens the records of compressed batches before a consumer reads them. Kafka's consumer
 * allocates a record at its whole size, and brokers bound batches as they are compressed: 300 MiB
 * may be sent as 10 KB. A batch that decompresses to no more than the limit stays as it is. Any
 * other is read as a stream and compressed again, with the same offsets and times, each record
 * within the limits. Not safe for use by several threads.
 */
final class BatchLimit {
  private static final int HEAD = DefaultRecordBatch.RECORD_BATCH_OVERHEAD;
  private static final int ATTRIBUTES_AT = DefaultRecordBatch.CRC_OFFSET + Integer.BYTES;
  private static final int LENGTH_AT = Long.BYTES;
  private static final int BEFORE_LENGTH = LENGTH_AT + Integer.BYTES;
  private static final int BUFFER = 16 << 10;
  private static final int OVERHEAD = 8; // of a header, at least

  private final RecordLimits limits;
  private final BufferSupplier buffers = BufferSupplier.create();
  private final byte[] scratch = new byte[BUFFER];

  BatchLimit(RecordLimits limits) {
    this.limits = limits;
  }

  /** What is handed on in place of what was fetched; the same where nothing is too large. */
  MemoryRecords limited(MemoryRecords fetched) {
    try {
      return shorter(fetched);
    } catch (IOException | RuntimeException broken) {
      return fetched; // of a batch that cannot be read the consumer itself says so
    }
  }

  private MemoryRecords shorter(MemoryRecords fetched) throws IOException {
    ByteBuffer bytes = fetched.buffer();
    ByteBufferOutputStream shorter = null;
    int at = bytes.position();
    for (MutableRecordBatch each : fetched.batches()) {
      ByteBuffer whole = bytes.slice(at, each.sizeInBytes());
      if (each instanceof DefaultRecordBatch batch && isLarge(batch, whole)) {
        if (shorter == null) {
          shorter = new ByteBufferOutputStream(bytes.remaining());
          shorter.write(bytes.slice(bytes.position(), at - bytes.position()));
        }
        shorter.write(shortened(batch, whole));
      } else if (shorter != null) {
        shorter.write(whole);
      }
      at += each.sizeInBytes();
    }
    return shorter == null
        ? fetched
        : MemoryRecords.readableRecords(shorter.buffer().flip());
  }

  private boolean isLarge(DefaultRecordBatch batch, ByteBuffer whole) throws IOException {
    if (!batch.isCompressed() || mostExpanded(batch, whole) <= limits.bytes()) {
      return false;
    }
    try (InputStream in = batch.recordInputStream(buffers)) {
      long bytes = 0;
      for (int read = in.read(scratch); read >= 0; read = in.read(scratch)) {
        bytes += read;
        if (bytes > limits.bytes()) {
          return true;
        }
      }
      return false;
    }
  }

  /** What a batch of its size can hold at most, by the format of its compression. */
  private static long mostExpanded(DefaultRecordBatch batch, ByteBuffer whole) {
    long size = batch.sizeInBytes();
    return switch (batch.compressionType()) {
      case NONE -> size;
      case GZIP -> 1_032 * size; // a copy of 258 bytes takes two bits
      case SNAPPY -> 64 * size; // one of 64 bytes takes two bytes or more
      case LZ4 -> 256 * size; // a byte lengthens a copy by 255
      case ZSTD ->
        ZstdBlocks.mostBytes(
            whole.slice(HEAD, whole.remaining() - HEAD).order(ByteOrder.LITTLE_ENDIAN));
    };
  }

  private ByteBuffer shortened(DefaultRecordBatch batch, ByteBuffer whole) throws IOException {
    int count = batch.countOrNull();
    ByteBufferOutputStream bytes = new ByteBufferOutputStream(BUFFER);
    bytes.write(whole.slice(0, HEAD));
    try (DataInputStream in = new DataInputStream(batch.recordInputStream(buffers));
        DataOutputStream out = new DataOutputStream(
            Compression.of(batch.compressionType()).build().wrapForOutput(bytes, batch.magic()))) {
      for (int i = 0; i < count; i++) {
        copy(in, out);
      }
    }
    ByteBuffer result = bytes.buffer().flip();
    result.putInt(LENGTH_AT, result.limit() - BEFORE_LENGTH);
    CRC32C checksum = new CRC32C();
    checksum.update(result.duplicate().position(ATTRIBUTES_AT));
    result.putInt(DefaultRecordBatch.CRC_OFFSET, (int) checksum.getValue());
    return result;
  }

  /** One record: its length, attributes, difference of times, of offsets, key, value, headers. */
  private void copy(DataInputStream in, DataOutputStream out) throws IOException {
    readVarint(in);
    in.readByte();
    long time = readVarlong(in);
    int offset = readVarint(in);
    byte[] key = beginning(in, limits.bytes() + 1);
    byte[] value = beginning(in, limits.bytes() + 1);
    Header[] headers = headers(in);
    DefaultRecord.writeTo(out, offset, time, buffer(key), buffer(value), headers);
  }

  private static ByteBuffer buffer(byte[] bytes) {
    return bytes == null ? null : ByteBuffer.wrap(bytes);
  }

  /** All headers while they are few bytes, and then the last of each that counts. */
  private Header[] headers(DataInputStream in) throws IOException {
    List<Header> all = new ArrayList<>();
    Map<String, Header> counting = new HashMap<>();
    long bytes = 0;
    for (int left = readVarint(in); left > 0; left--) {
      int nameLength = readVarint(in);
      byte[] name = beginning(in, nameLength, RecordLimits.HEADERS);
      int length = readVarint(in);
      byte[] value = beginning(in, length, RecordLimits.HEADERS);
      bytes += OVERHEAD + nameLength + Math.max(0, length);
      Header header = new RecordHeader(new String(name, StandardCharsets.UTF_8), value);
      if (bytes <= RecordLimits.HEADERS) {
        all.add(header);
      }
      if (limits.headers().contains(header.key())) {
        counting.put(header.key(), length <= RecordLimits.HEADER ? header : tooLong(header));
      }
    }
    return (bytes <= RecordLimits.HEADERS ? all : counting.values()).toArray(Header[]::new);
  }

  /** Names nothing, as the whole would not. */
  private static Header tooLong(Header header) {
    return new RecordHeader(header.key(), new byte[RecordLimits.HEADER + 1]);
  }

  private byte[] beginning(DataInputStream in, int most) throws IOException {
    return beginning(in, readVarint(in), most);
  }

  private static byte[] beginning(DataInputStream in, int length, int most) throws IOException {
    if (length < 0) {
      return null;
    }
    byte[] bytes = new byte[Math.min(length, most)];
    in.readFully(bytes);
    in.skipNBytes(length - bytes.length);
    return bytes;
  }

  private static int readVarint(DataInputStream in) throws IOException {
    return Math.toIntExact(readVarlong(in));
  }

  private static long readVarlong(DataInputStream in) throws IOException {
    long raw = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      byte next = in.readByte();
      raw |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return raw >>> 1 ^ -(raw & 1);
      }
    }
    throw new IOException("a number of more than 64 bits");
  }
}
