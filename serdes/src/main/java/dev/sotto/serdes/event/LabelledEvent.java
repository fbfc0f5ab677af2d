package dev.sotto.serdes.event;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * The value of a record of features together with that of its label, as it stands in the topic of
 * labelled events. Big-endian: a byte 1 (the version), a byte for the {@link Join}, the partition
 * (4 bytes), offset (8) and log time (8) of the record of features, the label's length (4; -1 where
 * there is none) and bytes, and the features' length (4; -1 for null) and bytes.
 *
 * @param join what came of it
 * @param source the record of features
 * @param features its value, may be null
 * @param label the value of the record with its label; null but for {@link Join#LABELLED}
 */
public record LabelledEvent(Join join, Source source, byte[] features, byte[] label) {
  private static final byte VERSION = 1;
  private static final int HEAD = 1 + 1 + 4 + 8 + 8;
  private static final int PARTITION_AT = 2;
  private static final int OFFSET_AT = PARTITION_AT + 4;
  private static final int TIME_AT = OFFSET_AT + 8;

  /** What came of one record of features. The codes are stored. */
  public enum Join {
    /** A label came in time. */
    LABELLED,
    /** None did. */
    MISSING,
    /** The id could not be read. */
    NO_ID,
    /** A record before it has the slot of its id. */
    REPEATED,
    /** It has the slot of its id, and its content was too large to wait for a label. */
    TOO_LARGE
  }

  /**
   * Where a record of features stands.
   *
   * @param time when the broker appended it, or when an earlier one was that has a later time
   */
  public record Source(int partition, long offset, long time) {}

  public LabelledEvent {
    Objects.requireNonNull(source, "source");
    if ((label != null) != (join == Join.LABELLED)) {
      throw new IllegalArgumentException(
          "there must be a label exactly where it came, but the join was " + join);
    }
  }

  /** As it is written. */
  public byte[] encode() {
    ByteBuffer out =
        ByteBuffer.allocate(HEAD + StoredBytes.length(label) + StoredBytes.length(features));
    out.put(VERSION).put((byte) join.ordinal());
    out.putInt(source.partition()).putLong(source.offset()).putLong(source.time());
    StoredBytes.put(out, label);
    StoredBytes.put(out, features);
    return out.array();
  }

  /** What was written; null where the bytes are no labelled event. */
  public static LabelledEvent decode(byte[] bytes) {
    if (bytes == null || bytes.length < HEAD || bytes[0] != VERSION) {
      return null;
    }
    ByteBuffer in = ByteBuffer.wrap(bytes, 1, bytes.length - 1);
    int join = in.get();
    if (join < 0 || join >= Join.values().length) {
      return null;
    }
    try {
      Source source = new Source(in.getInt(), in.getLong(), in.getLong());
      byte[] label = StoredBytes.take(in);
      byte[] features = StoredBytes.take(in);
      return in.hasRemaining()
          ? null
          : new LabelledEvent(Join.values()[join], source, features, label);
    } catch (BufferUnderflowException | IllegalArgumentException broken) {
      return null;
    }
  }

  /** The partition of the record of features, of bytes that {@link #encode} made. */
  public static int partition(byte[] bytes) {
    return ByteBuffer.wrap(bytes).getInt(PARTITION_AT);
  }

  /** The offset of the record of features, of bytes that {@link #encode} made. */
  public static long offset(byte[] bytes) {
    return ByteBuffer.wrap(bytes).getLong(OFFSET_AT);
  }

  /** {@link Source#time} of the record of features, of bytes that {@link #encode} made. */
  public static long time(byte[] bytes) {
    return ByteBuffer.wrap(bytes).getLong(TIME_AT);
  }
}
