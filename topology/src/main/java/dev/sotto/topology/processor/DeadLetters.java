package dev.sotto.topology.processor;

import dev.sotto.topology.log.RecordFault;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Sets records aside as they were read (with the id of a schema before the value that a header
 * named), the value cut to 512 KiB and the key to 128 KiB, with the reason
 * and their place in headers: so one always fits what producers and brokers take by default. Raw
 * data: the topic lies inside the trust boundary.
 */
public final class DeadLetters {
  /** The header with the name of the status. */
  public static final String REASON = "sotto.reason";

  /**
   * The header that says which field is wrong, what it must be and what it is, or what a value
   * without fields looks like.
   */
  public static final String FIELD = "sotto.field";

  private static final int LONGEST_VALUE = 512 * 1024;
  private static final int LONGEST_KEY = 128 * 1024;

  private final ProcessorContext<byte[], byte[]> context;
  private final String sink;

  /** Sends through one sink: two processors that shared one would become one sub-topology. */
  public DeadLetters(ProcessorContext<byte[], byte[]> context, String sink) {
    this.context = context;
    this.sink = sink;
  }

  /** Sends one record. */
  public void send(
      String topic,
      int partition,
      long offset,
      long timestamp,
      byte[] key,
      byte[] value,
      RecordFault fault) {
    RecordHeaders headers = new RecordHeaders();
    add(headers, REASON, fault.status().name());
    add(headers, "sotto.sentence", fault.status().sentence());
    fault.field().ifPresent(field -> add(headers, FIELD, field));
    add(headers, "sotto.topic", topic);
    add(headers, "sotto.partition", Integer.toString(partition));
    add(headers, "sotto.offset", Long.toString(offset));
    add(headers, "sotto.length", length(value));
    add(headers, "sotto.key-length", length(key));
    context.forward(
        new Record<>(cut(key, LONGEST_KEY), cut(value, LONGEST_VALUE), timestamp, headers), sink);
  }

  private static void add(RecordHeaders headers, String name, String value) {
    headers.add(name, value.getBytes(StandardCharsets.UTF_8));
  }

  private static String length(byte[] bytes) {
    return bytes == null ? "null" : Integer.toString(bytes.length);
  }

  private static byte[] cut(byte[] bytes, int longest) {
    return bytes == null || bytes.length <= longest ? bytes : Arrays.copyOf(bytes, longest);
  }
}
