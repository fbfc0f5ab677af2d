package dev.sotto.testkit;

import dev.sotto.topology.log.SlotLog;
import dev.sotto.topology.log.SourceReading;
import dev.sotto.topology.log.SourceRecord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;

/**
 * The event topic of an embedded learner as a log: what the processors of its application have
 * written so far, all in one partition, counted from 0.
 */
final class WrittenEvents {
  private final String topic;
  private final List<TestRecord<byte[], byte[]>> records = new ArrayList<>();
  private TestOutputTopic<byte[], byte[]> output;

  WrittenEvents(String topic) {
    this.topic = topic;
  }

  /** From now on those of this driver. */
  void of(TopologyTestDriver driver) {
    output =
        driver.createOutputTopic(topic, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /** Takes over what was written since. */
  void take() {
    while (!output.isEmpty()) {
      records.add(output.readRecord());
    }
  }

  /** The offset behind the last of them. */
  long end() {
    return records.size();
  }

  /** The log. */
  SlotLog log(SourceReading reading) {
    return (partition, from, to) -> {
      take();
      return SlotLog.Reading.of(LongStream.range(from, Math.min(to, records.size()))
          .mapToObj(offset -> record(reading, offset))
          .iterator());
    };
  }

  private SourceRecord record(SourceReading reading, long offset) {
    TestRecord<byte[], byte[]> each = records.get((int) offset);
    return reading.record(
        offset, each.getRecordTime().toEpochMilli(), each.key(), each.value(), each.headers());
  }

  /** All of them, for another run. */
  TestInput all() {
    return TestInput.of(records.stream().map(WrittenEvents::event).toList());
  }

  private static TestEvent event(TestRecord<byte[], byte[]> each) {
    Map<String, String> headers = new TreeMap<>();
    each.headers()
        .forEach(header ->
            headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8)));
    return new TestEvent(0, each.key(), each.value(), each.getRecordTime().toEpochMilli(), headers);
  }
}
