package dev.sotto.topology.label;

import dev.sotto.serdes.event.LabelledEvent;
import dev.sotto.serdes.event.StoredBytes;
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
    byte[] name = StoredBytes.utf8(id);
    Header[] all = headers.toArray();
    byte[][] names = new byte[all.length][];
    int bytes = FIXED
        + StoredBytes.length(name)
        + StoredBytes.length(key)
        + StoredBytes.length(value)
        + Integer.BYTES;
    for (int i = 0; i < all.length; i++) {
      names[i] = StoredBytes.utf8(all[i].key());
      bytes += StoredBytes.length(names[i]) + StoredBytes.length(all[i].value());
    }
    ByteBuffer out = ByteBuffer.allocate(bytes);
    out.putInt(source.partition()).putLong(source.offset()).putLong(source.time());
    out.put((byte) join.ordinal());
    StoredBytes.put(out, name);
    StoredBytes.put(out, key);
    StoredBytes.put(out, value);
    out.putInt(all.length);
    for (int i = 0; i < all.length; i++) {
      StoredBytes.put(out, names[i]);
      StoredBytes.put(out, all[i].value());
    }
    return out.array();
  }

  private static final LabelledEvent.Join[] JOINS = LabelledEvent.Join.values();
  private static final int LONGEST_NAME = 4096;
  private static final int TIME_AT = Integer.BYTES + Long.BYTES;
  private static final int FIXED = TIME_AT + Long.BYTES + 1;

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
    ByteBuffer in = ByteBuffer.wrap(bytes);
    LabelledEvent.Source source = new LabelledEvent.Source(in.getInt(), in.getLong(), in.getLong());
    LabelledEvent.Join join = JOINS[in.get()];
    String id = StoredBytes.takeText(in);
    byte[] key = StoredBytes.take(in);
    byte[] value = StoredBytes.take(in);
    Headers headers = new RecordHeaders();
    for (int left = in.getInt(); left > 0; left--) {
      headers.add(StoredBytes.takeText(in), StoredBytes.take(in));
    }
    return new PendingEvent(source, join, id, key, value, headers);
  }
}
