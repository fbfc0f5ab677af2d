package dev.sotto.replay.play;

import dev.sotto.replay.recording.InMemoryRecording;
import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingHeader;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * A recording with a digest that a test writes down record by record: every second offset from 10
 * on.
 *
 * @param digest as its header states it
 */
record Made(String digest, InMemoryRecording.Builder records) implements Recording {
  static Made of(String digest, int partitions) {
    InMemoryRecording.Builder records = InMemoryRecording.of("events");
    for (int i = 0; i < partitions; i++) {
      records.partition(i, 10);
    }
    return new Made(digest, records);
  }

  Made add(int partition, long timestamp, String value) {
    return add(partition, timestamp, value.getBytes(StandardCharsets.UTF_8), new RecordHeaders());
  }

  Made add(int partition, long timestamp, byte[] value, Headers headers) {
    long offset = records.build().header().ranges().stream()
        .filter(each -> each.partition() == partition)
        .findFirst()
        .orElseThrow()
        .to();
    records.add(partition, offset, timestamp, null, value, headers).skip(partition, 1);
    return this;
  }

  @Override
  public RecordingHeader header() {
    RecordingHeader of = records.build().header();
    return new RecordingHeader("avro", of.origin(), of.ranges(), of.schema(), digest);
  }

  @Override
  public RecordCursor open(int partition) {
    return records.build().open(partition);
  }

  @Override
  public void close() {}
}
