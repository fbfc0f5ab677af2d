package dev.sotto.topology.label;

import dev.sotto.serdes.event.LabelledEvent;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Utils;

/**
 * A record of features that waits for the end of its slot's time.
 *
 * @param source where it stands
 * @param join {@link LabelledEvent.Join#MISSING} where its id has this slot, or why it has not
 * @param id by which it is joined; null where it cannot be read
 * @param key of the record, may be null
 * @param value of the record, may be null
 * @param headers of the record
 */
public record PendingEvent(
    LabelledEvent.Source source,
    LabelledEvent.Join join,
    String id,
    byte[] key,
    byte[] value,
    Headers headers) {

  byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(source.partition());
      out.writeLong(source.offset());
      out.writeLong(source.time());
      out.writeByte(join.ordinal());
      StoredBytes.writeText(out, id);
      StoredBytes.write(out, key);
      StoredBytes.write(out, value);
      Header[] all = headers.toArray();
      out.writeInt(all.length);
      for (Header each : all) {
        StoredBytes.writeText(out, each.key());
        StoredBytes.write(out, each.value());
      }
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }

  private static final int LONGEST_NAME = 4096;
  private static final int TIME_AT = Integer.BYTES + Long.BYTES;

  /** The time of its source, of bytes that {@link #encode} made. */
  static long time(byte[] bytes) {
    return ByteBuffer.wrap(bytes).getLong(TIME_AT);
  }

  /**
   * Bytes of key, value and headers as they are stored, which are no fewer than those that Kafka
   * writes.
   */
  long size() {
    long size = length(key) + length(value);
    for (Header each : headers) {
      size += 2 * Integer.BYTES + Utils.utf8Length(each.key()) + length(each.value());
    }
    return size;
  }

  /**
   * The same without what it holds. What names a model stays: a key and one header, neither of more
   * than {@value #LONGEST_NAME} bytes.
   *
   * @param kept the name of the header, null for none
   */
  PendingEvent withoutContent(String kept) {
    Headers few = new RecordHeaders();
    Header model = kept == null ? null : headers.lastHeader(kept);
    if (model != null && length(model.value()) <= LONGEST_NAME) {
      few.add(model);
    }
    byte[] name = length(key) <= LONGEST_NAME ? key : null;
    return new PendingEvent(source, join, id, name, null, few);
  }

  /** A copy that says where it stands and what came of it. */
  PendingEvent with(LabelledEvent.Source newSource, LabelledEvent.Join newJoin) {
    return new PendingEvent(newSource, newJoin, id, key, value, headers);
  }

  private static long length(byte[] bytes) {
    return bytes == null ? 0 : bytes.length;
  }

  static PendingEvent decode(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      LabelledEvent.Source source =
          new LabelledEvent.Source(in.readInt(), in.readLong(), in.readLong());
      LabelledEvent.Join join = LabelledEvent.Join.values()[in.readByte()];
      String id = StoredBytes.readText(in);
      byte[] key = StoredBytes.read(in);
      byte[] value = StoredBytes.read(in);
      Headers headers = new RecordHeaders();
      for (int left = in.readInt(); left > 0; left--) {
        headers.add(StoredBytes.readText(in), StoredBytes.read(in));
      }
      return new PendingEvent(source, join, id, key, value, headers);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }
}
