package dev.sotto.benchmarks;

import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
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
    write(place -> values[place % different], topic, partitions, records, broker);
    return bytes / different;
  }

  /** Writes the same records with ids as keys to one partition, and behind each its label. */
  static void writeWithLabels(
      BenchmarkCase what, String topic, String labels, long records, BenchmarkBroker broker) {
    var random = new SplittableRandom(what.inputs);
    byte[][] values = new byte[what.different()][];
    for (int i = 0; i < values.length; i++) {
      values[i] = what.encode(random);
    }
    byte[] label = new byte[16];
    write(
        place -> {
          byte[] id = LateLabelsContender.id(place / 2);
          return place % 2 == 0
              ? new ProducerRecord<>(topic, 0, id, values[place / 2 % values.length])
              : new ProducerRecord<>(labels, 0, id, label);
        },
        2 * records,
        broker);
  }

  /** Writes values, uncompressed, to the partitions in turn. */
  static void write(
      IntFunction<byte[]> values,
      String topic,
      int partitions,
      long records,
      BenchmarkBroker broker) {
    write(
        place -> new ProducerRecord<>(topic, place % partitions, null, values.apply(place)),
        records,
        broker);
  }

  private static void write(
      IntFunction<ProducerRecord<byte[], byte[]>> all, long records, BenchmarkBroker broker) {
    Map<String, Object> config = Map.of(
        "bootstrap.servers",
        broker.bootstrapServers(),
        "batch.size",
        BATCH_BYTES,
        "linger.ms",
        20,
        "compression.type",
        "none");
    var failure = new AtomicReference<Exception>();
    var serializer = new ByteArraySerializer();
    try (var producer = new KafkaProducer<>(config, serializer, serializer)) {
      for (long i = 0; i < records; i++) {
        producer.send(all.apply((int) i), (sent, failed) -> {
          if (failed != null) {
            failure.set(failed); // what a callback throws is only logged
          }
        });
      }
    }
    if (failure.get() != null) {
      throw new IllegalStateException(
          "every record must be written, but one was not", failure.get());
    }
  }
}
