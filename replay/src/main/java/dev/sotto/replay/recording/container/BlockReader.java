package dev.sotto.replay.recording.container;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.file.DataFileConstants;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;

/** Reads the blocks of a container through Avro's reader, from one position to another. */
final class BlockReader implements Closeable {
  private static final int PREFIX_BYTES = 20; // two Avro longs at their longest

  private final FileInput file;
  private final DataFileReader<Object> reader;
  private final long end;
  private final byte[] prefix = new byte[PREFIX_BYTES];
  private BinaryDecoder decoder;
  private long position;
  private long records;

  /**
   * Opens the file.
   *
   * @param start where a block begins
   * @param end where a block ends
   */
  BlockReader(ContainerHeader header, long start, long end) throws IOException {
    this.file = new FileInput(header.file());
    this.reader = DataFileReader.openReader(file, new GenericDatumReader<>(), header.avro(), false);
    this.position = start;
    this.end = end;
  }

  /** Where the next block begins. */
  long position() {
    return position;
  }

  /** The number of records in the last block. */
  long records() {
    return records;
  }

  /**
   * The next block, decompressed; null at the end. It is overwritten by the one after it.
   *
   * @throws IOException where it is truncated or damaged
   */
  ByteBuffer next() throws IOException {
    if (position == end) {
      return null;
    }
    long next = nextPosition();
    try {
      reader.seek(position);
      ByteBuffer block = reader.nextBlock();
      position = next;
      return block;
    } catch (AvroRuntimeException damaged) {
      Throwable cause = damaged.getCause() == null ? damaged : damaged.getCause();
      throw new IOException(cause.getMessage(), damaged);
    } catch (RuntimeException damaged) {
      throw new IOException("a block cannot be decompressed", damaged);
    }
  }

  /** Checks the size that the block claims, since Avro allocates it before it reads. */
  private long nextPosition() throws IOException {
    file.seek(position);
    int length = Math.max(0, file.read(prefix, 0, (int) Math.min(prefix.length, end - position)));
    decoder = DecoderFactory.get().binaryDecoder(prefix, 0, length, decoder);
    long size;
    try {
      records = decoder.readLong();
      size = decoder.readLong();
    } catch (EOFException truncated) {
      throw new IOException("a block is truncated", truncated);
    }
    long start = position + length - decoder.remainingBytes();
    long left = end - start - DataFileConstants.SYNC_SIZE;
    if (records < 1 || size < 0 || size > left) {
      throw new IOException("a block claims " + records + " records in " + size
          + " bytes where at most " + left + " can be");
    }
    return start + size + DataFileConstants.SYNC_SIZE;
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
