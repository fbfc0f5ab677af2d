package dev.sotto.serdes.event;

/** The bytes of a message, from which its parts are taken. No length is believed before it fits. */
final class ProtobufBytes {
  /** The wire types. */
  static final int VARINT = 0;

  static final int FIXED64 = 1;
  static final int LENGTH = 2;
  static final int GROUP = 3;
  static final int GROUP_END = 4;
  static final int FIXED32 = 5;

  private byte[] bytes;
  private int at;
  private int end;

  /** Begins at a place of other bytes, up to their end. */
  ProtobufBytes begin(byte[] others, int from) {
    bytes = others;
    at = from;
    end = others.length;
    return this;
  }

  /** Bytes that are no message of the schema. */
  static final class Malformed extends RuntimeException {
    /** One for all: it tells nothing of a record, and a hostile one must cost no trace. */
    static final Malformed INSTANCE = new Malformed();

    private static final long serialVersionUID = 1;

    private Malformed() {
      super("no message of the schema", null, false, false);
    }
  }

  byte[] bytes() {
    return bytes;
  }

  int at() {
    return at;
  }

  int end() {
    return end;
  }

  boolean hasMore() {
    return at < end;
  }

  /**
   * Ends there from now on.
   *
   * @return where it ended before
   */
  int limit(int newEnd) {
    int before = end;
    end = newEnd;
    return before;
  }

  void seek(int place) {
    at = place;
  }

  long varint() {
    if (at < end && bytes[at] >= 0) {
      return bytes[at++];
    }
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      if (at >= end) {
        throw Malformed.INSTANCE;
      }
      byte next = bytes[at++];
      value |= (long) (next & 0x7F) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw Malformed.INSTANCE;
  }

  /** The number of a field, times 8, and its wire type. */
  long tag() {
    long tag = varint();
    if (tag >>> 3 < 1 || tag > 0xFFFF_FFFFL || tag < 0) {
      throw Malformed.INSTANCE;
    }
    return tag;
  }

  static long zigzag(long value) {
    return value >>> 1 ^ -(value & 1);
  }

  int fixed32() {
    require(Integer.BYTES);
    int value = (bytes[at] & 0xFF)
        | (bytes[at + 1] & 0xFF) << 8
        | (bytes[at + 2] & 0xFF) << 16
        | bytes[at + 3] << 24;
    at += Integer.BYTES;
    return value;
  }

  long fixed64() {
    long low = fixed32() & 0xFFFF_FFFFL;
    return (long) fixed32() << 32 | low;
  }

  /** The length of what comes next, which is there. */
  int length() {
    long length = varint();
    if (length < 0 || length > end - at) {
      throw Malformed.INSTANCE;
    }
    return (int) length;
  }

  void skip(int count) {
    require(count);
    at += count;
  }

  private void require(int count) {
    if (count > end - at) {
      throw Malformed.INSTANCE;
    }
  }
}
