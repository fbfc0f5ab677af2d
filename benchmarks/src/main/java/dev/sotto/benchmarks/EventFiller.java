package dev.sotto.benchmarks;

import java.util.Map;
import java.util.SplittableRandom;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Fills a topic: some different records over and over, since encoding is not measured. */
final class EventFiller {
  private static final int BATCH_BYTES = 64 * 1024;

  private EventFiller() {}

  /** Writes uncompressed records to the partitions in turn; returns the mean size of one. */
  static double write(
      BenchmarkCase what, String topic, int partitions, long records, BenchmarkBroker broker) {
    var random = new SplittableRandom(what.inputs);
    int different = what.different();
    byte[][] values = new byte[different][];
    double bytes = 0;
    for (int i = 0; i < different; i++) {
      values[i] = what.encode(random);
      bytes += values[i].length;
    }
    Map<String, Object> config = Map.of(
        "bootstrap.servers",
        broker.bootstrapServers(),
        "batch.size",
        BATCH_BYTES,
        "linger.ms",
        20,
        "compression.type",
        "none");
    var serializer = new ByteArraySerializer();
    try (var producer = new KafkaProducer<>(config, serializer, serializer)) {
      for (long i = 0; i < records; i++) {
        producer.send(
            new ProducerRecord<>(
                topic, (int) (i % partitions), null, values[(int) (i % different)]),
            (sent, failed) -> {
              if (failed != null) {
                throw new IllegalStateException(
                    "every record must be written, but one was not", failed);
              }
            });
      }
    }
    return bytes / different;
  }
}
