package dev.sotto.replay.recording.container;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * Decodes the records of one block, by hand: Avro's own readers take several times as long, and allocate what lengths in
 * damaged data claim. A record takes a key, a value and, if it has any, headers; nothing else is allocated.
 */
final class RecordBlock {
  private static final RecordHeaders NONE = new RecordHeaders();

  static {
    NONE.setReadOnly();
  }

  private byte[] bytes = {};
  private int at;
  private int end;
  private int partition;
  private long offset;
  private long timestamp;
  private byte[] key;
  private byte[] value;
  private Headers headers;

  /** Another block, to be read from its beginning. */
  void wrap(ByteBuffer block) {
    bytes = block.array();
    at = block.arrayOffset() + block.position();
    end = at + block.remaining();
  }

  boolean finished() {
    return at == end;
  }

  /**
   * Moves to the next record.
   *
   * @throws IllegalArgumentException where there is none, or it is not encoded as it should be
   */
  void next() {
    long number = number();
    partition = (int) number;
    if (partition != number) {
      throw damaged("a partition of number " + number);
    }
    offset = number();
    timestamp = number();
    key = optional();
    value = optional();
    long count = number();
    headers = count == 0 ? NONE : headers(count);
  }

  int partition() {
    return partition;
  }

  long offset() {
    return offset;
  }

  long timestamp() {
    return timestamp;
  }

  byte[] key() {
    return key;
  }

  byte[] value() {
    return value;
  }

  Headers headers() {
    return headers;
  }

  private Headers headers(long count) {
    if (count < 0 || count > end - at) {
      throw damaged(count + " headers");
    }
    RecordHeaders found = new RecordHeaders();
    for (long i = 0; i < count; i++) {
      int length = length();
      String name = new String(bytes, at, length, StandardCharsets.UTF_8);
      at += length;
      found.add(name, optional());
    }
    if (number() != 0) {
      throw damaged("headers without an end");
    }
    found.setReadOnly();
    return found;
  }

  private byte[] optional() {
    long branch = number();
    if (branch == 0) {
      return null;
    }
    if (branch != 1) {
      throw damaged("neither null nor bytes");
    }
    int length = length();
    byte[] span = Arrays.copyOfRange(bytes, at, at + length);
    at += length;
    return span;
  }

  private int length() {
    long length = number();
    if (length < 0 || length > end - at) {
      throw damaged("a length of " + length + " where " + (end - at) + " bytes are left");
    }
    return (int) length;
  }

  /** An Avro long: 7 bits a byte, the lowest first, the sign in the lowest bit. */
  private long number() {
    long bits = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      if (at == end) {
        throw damaged("a number without an end");
      }
      byte next = bytes[at++];
      bits |= (next & 0x7FL) << shift;
      if (next >= 0) {
        return (bits >>> 1) ^ -(bits & 1);
      }
    }
    throw damaged("a number that is too long");
  }

  private static IllegalArgumentException damaged(String found) {
    return new IllegalArgumentException("there is " + found);
  }
}
