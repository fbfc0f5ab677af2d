package dev.sotto.topology.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.serdes.avro.PackedDoubles;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.WeightsChunk;
import dev.sotto.serdes.snapshot.PublishedModel;
import dev.sotto.testbroker.Cluster;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.read.NewestVersions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The newest version from the end of a long topic: what is read, and what is passed over. */
class NewestVersionsIT {
  private static final int VERSIONS = 10_000;
  private static final int WEIGHTS = 100;
  private static final String TOPIC = "long.snapshots";

  @RegisterExtension
  static Cluster cluster = Cluster.shared();

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** The records of a version, in two chunks. */
  private static List<ProducerRecord<byte[], byte[]>> version(
      String topic, String model, long version, boolean whole) {
    double[] weights = new double[WEIGHTS];
    Arrays.fill(weights, version);
    Guarantee guarantee =
        Guarantee.of(PrivacyUnit.RECORD, Adjacency.ZERO_OUT, "blt", 0.5, 0.6, 1e-6);
    ModelSnapshot manifest = new ModelSnapshot(
        model,
        new byte[16],
        0,
        version,
        WEIGHTS,
        2,
        ModelSnapshot.digest(weights, guarantee),
        "made",
        "logistic",
        "private-ftrl",
        false,
        guarantee,
        new byte[32],
        List.of(),
        new byte[32]);
    return List.of(
        chunk(topic, model, whole ? version : version - 1, 0, weights),
        chunk(topic, model, version, 1, weights),
        new ProducerRecord<>(
            topic, 0, bytes(model + "/manifest"), Codecs.SNAPSHOT.encode(manifest)));
  }

  private static ProducerRecord<byte[], byte[]> chunk(
      String topic, String model, long version, int index, double[] weights) {
    byte[] half = PackedDoubles.pack(weights, index * WEIGHTS / 2, WEIGHTS / 2);
    return new ProducerRecord<>(
        topic,
        0,
        bytes(model + "/" + index),
        Codecs.CHUNK.encode(new WeightsChunk(model, version, index, half)));
  }

  private static KafkaProducer<byte[], byte[]> transactions(String id) {
    KafkaProducer<byte[], byte[]> producer =
        cluster.producer(Map.of("transactional.id", id, "linger.ms", 5));
    producer.initTransactions();
    return producer;
  }

  @Test
  void readsTheEndOfALongTopicOnly() {
    cluster.createTopic(TOPIC);
    long all = 0;
    try (KafkaProducer<byte[], byte[]> producer = transactions("long");
        KafkaProducer<byte[], byte[]> open = transactions("open")) {
      for (int version = 1; version <= VERSIONS; version++) {
        if (version % 100 == 1) {
          producer.beginTransaction();
        }
        for (var record : version(TOPIC, version == 5 ? "old" : "model", version, true)) {
          all += record.key().length + record.value().length;
          producer.send(record);
        }
        if (version % 100 == 0) {
          producer.commitTransaction();
        }
      }
      producer.beginTransaction();
      version(TOPIC, "model", VERSIONS + 1, false).forEach(producer::send); // a chunk is missing
      producer.commitTransaction();
      producer.beginTransaction();
      version(TOPIC, "model", VERSIONS + 2, true).forEach(producer::send);
      producer.abortTransaction();
      open.beginTransaction();
      version(TOPIC, "model", VERSIONS + 3, true).forEach(open::send);
      open.flush();

      try (NewestVersions newest = new NewestVersions(cluster.clients(), TOPIC)) {
        long begin = System.nanoTime();
        Map<String, PublishedModel> found = newest.of(Set.of("model"));
        Duration taken = Duration.ofNanos(System.nanoTime() - begin);
        System.out.printf(
            "newest of %d versions: %d records, %d of %d bytes, %d ms%n",
            VERSIONS, newest.recordsRead(), newest.bytesRead(), all, taken.toMillis());
        assertThat(found).containsOnlyKeys("model");
        assertThat(found.get("model").manifest().version()).isEqualTo(VERSIONS);
        assertThat(found.get("model").weights()).containsOnly(VERSIONS).hasSize(WEIGHTS);
        assertThat(newest.damaged()).isOne();
        assertThat(newest.recordsRead()).isLessThan(60);
        assertThat(newest.bytesRead()).isLessThan(all / 500);
        assertThat(newest.ofPartitions())
            .singleElement()
            .satisfies(each -> assertThat(each.manifest().version()).isEqualTo(VERSIONS));
        // It can fail: what lies at the beginning costs the whole topic.
        assertThat(newest.of(Set.of("old", "model", "none")))
            .containsOnlyKeys("model", "old")
            .extractingByKey("old")
            .satisfies(each -> assertThat(each.manifest().version()).isEqualTo(5));
        assertThat(newest.bytesRead()).isGreaterThan(all);
      }
      open.abortTransaction();
    }
  }

  @Test
  void findsNothingWhereThereIsNothing() {
    cluster.createTopic("empty.snapshots", 2, Map.of());
    try (NewestVersions newest = new NewestVersions(cluster.clients(), "empty.snapshots")) {
      assertThat(newest.ofPartitions()).isEmpty();
      assertThat(newest.of(Set.of("model"))).isEmpty();
    }
    assertThatThrownBy(() -> new NewestVersions(cluster.clients(), "none.snapshots"))
        .isInstanceOf(SottoException.class)
        .hasMessageContaining("none.snapshots does not exist");
  }
}
