package dev.sotto.testkit;

import dev.sotto.serdes.event.EventDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/**
 * One record of the event topic, written down in a test.
 *
 * @param partition from 0
 * @param key null for none
 * @param value null for an empty record
 * @param timestamp in milliseconds since 1970
 * @param headers by their names
 */
public record TestEvent(
    int partition, byte[] key, byte[] value, long timestamp, Map<String, String> headers) {
  public TestEvent {
    if (partition < 0) {
      throw new IllegalArgumentException("partition must be at least 0, but was " + partition);
    }
    headers = Map.copyOf(headers);
  }

  /** An event of partition 0 without a key: text as bytes, JSON or whatever the decoder reads. */
  public static TestEvent of(String value) {
    return of(value == null ? null : value.getBytes(StandardCharsets.UTF_8));
  }

  /** The same of bytes. */
  public static TestEvent of(byte[] value) {
    return new TestEvent(0, null, value, 0, Map.of());
  }

  /** The same with a key. */
  public TestEvent key(String text) {
    return key(text.getBytes(StandardCharsets.UTF_8));
  }

  /** The same with a key. */
  public TestEvent key(byte[] bytes) {
    return new TestEvent(partition, bytes, value, timestamp, headers);
  }

  /** The same in another partition. */
  public TestEvent partition(int other) {
    return new TestEvent(other, key, value, timestamp, headers);
  }

  /** The same at another time. */
  public TestEvent timestamp(Instant time) {
    return new TestEvent(partition, key, value, time.toEpochMilli(), headers);
  }

  /** The same with one more header. */
  public TestEvent header(String name, String text) {
    Map<String, String> more = new TreeMap<>(headers);
    more.put(name, text);
    return new TestEvent(partition, key, value, timestamp, more);
  }

  /**
   * The value as a decoder reads it: with the id of its schema that stands in a header before it.
   */
  byte[] value(EventDecoder decoder) {
    return decoder.schemaIds().framed(this::header, value);
  }

  private byte[] header(String name) {
    String text = headers.get(name);
    return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
  }

  /** The value as text, cut where it is long. */
  @Override
  public String toString() {
    if (value == null) {
      return "(null)";
    }
    String text = new String(value, StandardCharsets.UTF_8);
    return text.length() <= 200 ? text : text.substring(0, 200) + "...";
  }
}
