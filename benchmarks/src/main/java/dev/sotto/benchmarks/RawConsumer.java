package dev.sotto.benchmarks;

import dev.sotto.topology.read.ReaderConfig;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** A bare consumer with the learner's consumer settings, which counts records and their bytes. */
final class RawConsumer implements Contender {
  private final ConfigCapture captured;

  RawConsumer(ConfigCapture captured) {
    this.captured = captured;
  }

  @Override
  public String name() {
    return Report.RAW;
  }

  @Override
  public MeasuredRun read(BenchmarkCase what, String topic, long records, BenchmarkBroker broker) {
    var timer = new StageTimer(records, broker);
    var where = List.of(new TopicPartition(topic, 0));
    long bytes = 0;
    try (var consumer = ReaderConfig.consumer(captured.config(), "read_committed")) {
      consumer.assign(where);
      consumer.seekToBeginning(where);
      while (timer.run() == null) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
          bytes += record.value().length;
          timer.tick();
        }
      }
    }
    if (bytes < records) {
      throw new IllegalStateException("records must have bytes, but " + records + " had " + bytes);
    }
    return timer.run();
  }
}
