package dev.sotto.benchmarks;

import dev.sotto.topology.ReaderConfig;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** A bare consumer with the learner's consumer settings, which counts records and their bytes. */
final class RawConsumer implements Contender {
  private final Witness witness;

  RawConsumer(Witness witness) {
    this.witness = witness;
  }

  @Override
  public String name() {
    return Report.RAW;
  }

  @Override
  public Run read(Case what, String topic, long records, Broker broker) {
    var lap = new Lap(records, broker);
    var where = List.of(new TopicPartition(topic, 0));
    long bytes = 0;
    try (var consumer = ReaderConfig.consumer(witness.config(), "read_committed")) {
      consumer.assign(where);
      consumer.seekToBeginning(where);
      while (lap.run() == null) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
          bytes += record.value().length;
          lap.tick();
        }
      }
    }
    if (bytes < records) {
      throw new IllegalStateException("records must have bytes, but " + records + " had " + bytes);
    }
    return lap.run();
  }
}
