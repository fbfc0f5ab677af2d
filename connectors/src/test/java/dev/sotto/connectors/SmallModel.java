package dev.sotto.connectors;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.serdes.avro.PackedDoubles;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.WeightsChunk;
import java.util.List;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Versions of the model user/7, as a learner publishes them, for tests. */
final class SmallModel {
  static final Guarantee GUARANTEE =
      Guarantee.of(PrivacyUnit.KEY, Adjacency.ZERO_OUT, "tree", 0.2, 0.5, 1e-6);

  private SmallModel() {}

  /** Sends a version of {@code user/7} in a transaction that the caller ends. */
  static void publish(
      KafkaProducer<byte[], byte[]> producer, String topic, long version, double[] weights) {
    publish(producer, topic, "user/7", version, weights);
  }

  /** The same of any model. */
  static void publish(
      KafkaProducer<byte[], byte[]> producer,
      String topic,
      String model,
      long version,
      double[] weights) {
    producer.beginTransaction();
    byte[] chunk =
        Codecs.CHUNK.encode(new WeightsChunk(model, version, 0, PackedDoubles.pack(weights)));
    producer.send(new ProducerRecord<>(topic, (model + "/0").getBytes(UTF_8), chunk));
    byte[] manifest = Codecs.SNAPSHOT.encode(new ModelSnapshot(
        model,
        new byte[16],
        0,
        version,
        weights.length,
        1,
        ModelSnapshot.digest(weights, GUARANTEE),
        "bias",
        "logistic",
        "private-ftrl",
        false,
        GUARANTEE,
        new byte[32],
        List.of(new OffsetRange(0, 0, 9)),
        new byte[32]));
    producer.send(new ProducerRecord<>(topic, (model + "/manifest").getBytes(UTF_8), manifest));
  }
}
