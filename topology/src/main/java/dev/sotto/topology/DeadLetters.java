package dev.sotto.topology;

import dev.sotto.learner.example.Verdict;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Sets records aside as they came, cut to 512 KiB a part, with the reason and their place in headers. Raw data:
 * the topic lies inside the trust boundary.
 */
final class DeadLetters {
  private static final int LONGEST = 512 * 1024;

  private final ProcessorContext<byte[], byte[]> context;

  DeadLetters(ProcessorContext<byte[], byte[]> context) {
    this.context = context;
  }

  void send(
      String topic,
      int partition,
      long offset,
      long timestamp,
      byte[] key,
      byte[] value,
      Verdict verdict) {
    RecordHeaders headers = new RecordHeaders();
    add(headers, "sotto.reason", verdict.name());
    add(headers, "sotto.sentence", verdict.sentence());
    add(headers, "sotto.topic", topic);
    add(headers, "sotto.partition", Integer.toString(partition));
    add(headers, "sotto.offset", Long.toString(offset));
    add(headers, "sotto.length", value == null ? "null" : Integer.toString(value.length));
    context.forward(new Record<>(cut(key), cut(value), timestamp, headers), Names.TO_DEAD_LETTERS);
  }

  private static void add(RecordHeaders headers, String name, String value) {
    headers.add(name, value.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] cut(byte[] bytes) {
    return bytes == null || bytes.length <= LONGEST ? bytes : Arrays.copyOf(bytes, LONGEST);
  }
}
