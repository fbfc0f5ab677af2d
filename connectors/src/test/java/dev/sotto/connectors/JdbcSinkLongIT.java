package dev.sotto.connectors;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.broker.BrokerSettings;
import dev.sotto.broker.EmbeddedBroker;
import dev.sotto.client.MadeVersion;
import dev.sotto.learner.training.NoisyMetrics;
import dev.sotto.serdes.avro.PackedDoubles;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.ModelMetrics;
import dev.sotto.serdes.record.WeightsChunk;
import dev.sotto.testbroker.Clients;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Debezium's JDBC sink keeps what is published in tables of a real PostgreSQL. */
@Tag("long")
@Timeout(600)
class JdbcSinkLongIT {
  private static final Path DEBEZIUM =
      Path.of(System.getProperty("sotto.jdbc.plugin", "target/jdbc-sink")).toAbsolutePath();
  private static final Path SOTTO = Path.of("..", "connectors", "target", "sotto-connectors-plugin")
      .toAbsolutePath()
      .normalize();
  private static final int VERSIONS = 60;
  private static final List<String> MODELS = List.of("user/7", "all");

  @TempDir(cleanup = CleanupMode.ON_SUCCESS) // the worker's log is in it
  private Path folder;

  @Test
  void storesEachVersionOnceThoughTheWorkerIsKilled() throws Exception {
    Path programs = TemporaryPostgres.programs().orElse(null);
    assumeTrue(programs != null, "skipped: there is no PostgreSQL in /usr/lib/postgresql");
    assumeTrue(
        Files.isDirectory(DEBEZIUM),
        "skipped: " + DEBEZIUM + " is not there; run with -Pjdbc-sink to fetch it");
    try (TemporaryPostgres database = new TemporaryPostgres(programs);
        EmbeddedBroker broker = EmbeddedBroker.start(BrokerSettings.temporary()
            .withProperties(Map.of(
                "group.min.session.timeout.ms", "1000",
                "transaction.abort.timed.out.transaction.cleanup.interval.ms", "1000")))) {
      createTopics(broker);
      try (var producer = new KafkaProducer<>(
          Clients.settings(broker.bootstrapServers(), Map.of("transactional.id", "learner")),
          new ByteArraySerializer(),
          new ByteArraySerializer())) {
        producer.initTransactions();
        publish(producer, 1, VERSIONS / 2);
        abort(producer);
        try (WorkerProcess worker = worker(broker)) {
          worker.put("tables", json(sink(database, "", "upsert", "record_key")));
          worker.put("repeats", json(sink(database, "repeats_", "insert", "none")));
          for (String each : List.of("sotto_snapshots", "repeats_sotto_snapshots")) {
            await(() -> database.count(each) >= MODELS.size());
          }
          worker.kill(); // no offset has been committed yet: everything comes again
        }
        publish(producer, VERSIONS / 2 + 1, VERSIONS);
      }
      long all = (long) VERSIONS * MODELS.size();
      try (WorkerProcess again = worker(broker)) {
        again.put("tables", json(sink(database, "", "upsert", "record_key")));
        await(() -> database.count("sotto_snapshots") >= all
            && database.count("sotto_ledger") >= all
            && database.count("sotto_metrics") >= all / 10);
        await(() -> database.count("repeats_sotto_snapshots") > all);
        again.kill();
      }
      requireEachOnce(database, all);
    }
  }

  private static void requireEachOnce(TemporaryPostgres database, long all) throws Exception {
    assertThat(database.count("sotto_snapshots")).isEqualTo(all);
    assertThat(database.count("sotto_ledger")).isEqualTo(all);
    assertThat(database.count("sotto_metrics")).isEqualTo(all / 10);
    assertThat(database.count("repeats_sotto_snapshots"))
        .as("without the key, a sink that is killed repeats")
        .isGreaterThan(all);
    assertThat(database.rows("SELECT model_id, min(version), max(version), count(*)"
            + " FROM sotto_snapshots GROUP BY model_id ORDER BY model_id"))
        .as("the aborted version was never published")
        .containsExactly("all|1|60|60", "user/7|1|60|60");
    assertThat(database.rows("SELECT s.version, s.dimension, s.guarantee_epsilon = "
            + made("all", 60).manifest().guarantee().epsilon()
            + ", l.sigma, l.guarantee_unit, s.digest = l.snapshot_digest, m.loss_sum"
            + " FROM sotto_snapshots s JOIN sotto_ledger l USING (model_id, run_id, version)"
            + " JOIN sotto_metrics m USING (model_id, run_id, version)"
            + " WHERE model_id = 'all' AND version = 60"))
        .containsExactly("60|2|t|2|record|t|60.5");
  }

  private WorkerProcess worker(EmbeddedBroker broker) throws Exception {
    String plugins = Stream.of(DEBEZIUM, SOTTO)
        .filter(Files::isDirectory)
        .map(Path::toString)
        .collect(Collectors.joining(","));
    return new WorkerProcess(
        folder,
        broker.bootstrapServers(),
        Map.of(
            "plugin.path", plugins,
            "plugin.discovery", "service_load",
            "offset.flush.interval.ms", "600000"));
  }

  private static Map<String, String> sink(
      TemporaryPostgres database, String prefix, String mode, String key) {
    Map<String, String> settings = new HashMap<>(Map.of(
        "connector.class",
        "io.debezium.connector.jdbc.JdbcSinkConnector",
        "topics",
        "sotto.snapshots,sotto.ledger,sotto.metrics",
        "connection.url",
        database.url(),
        "connection.username",
        database.user(),
        "connection.password",
        "",
        "insert.mode",
        mode,
        "primary.key.mode",
        key,
        "schema.evolution",
        "basic",
        "collection.name.format",
        prefix + "${topic}"));
    settings.putAll(Map.of(
        "consumer.override.isolation.level", "read_committed",
        "consumer.override.auto.offset.reset", "earliest",
        "value.converter", "dev.sotto.connectors.record.PublishedRecordConverter",
        "value.converter.consumer.isolation.level", "read_committed",
        "transforms", "version",
        "transforms.version.type", "dev.sotto.connectors.record.PublishedVersionKey"));
    return settings;
  }

  private static String json(Map<String, String> settings) throws IOException {
    return new ObjectMapper().writeValueAsString(settings);
  }

  private static MadeVersion made(String model, long version) {
    return MadeVersion.of(model, version, new double[] {version, -version}, "bias", "logistic");
  }

  private static void publish(KafkaProducer<byte[], byte[]> producer, int from, int to) {
    for (int version = from; version <= to; version++) {
      producer.beginTransaction();
      for (String model : MODELS) {
        send(producer, model, version);
      }
      producer.commitTransaction();
    }
  }

  private static void abort(KafkaProducer<byte[], byte[]> producer) {
    producer.beginTransaction();
    send(producer, "all", 99);
    producer.flush();
    producer.abortTransaction();
  }

  private static void send(KafkaProducer<byte[], byte[]> producer, String model, int version) {
    MadeVersion made = made(model, version);
    for (int i = 0; i < 2; i++) {
      byte[] weights = PackedDoubles.pack(new double[] {made.weights()[i]});
      send(
          producer,
          "snapshots",
          model + "/" + i,
          Codecs.CHUNK.encode(new WeightsChunk(model, version, i, weights)));
    }
    send(producer, "snapshots", model + "/manifest", Codecs.SNAPSHOT.encode(made.manifest()));
    send(producer, "ledger", model, Codecs.LEDGER.encode(made.entry()));
    if (version % 10 == 0) {
      double[] sums = {version + 0.5, 20, 10, 1, 2};
      NoisyMetrics noisy = new NoisyMetrics(version - 9, version, 320, 8, sums, 1.5);
      send(
          producer,
          "metrics",
          model,
          Codecs.METRICS.encode(new ModelMetrics(model, new byte[16], noisy, new byte[32])));
    }
  }

  private static void send(
      KafkaProducer<byte[], byte[]> producer, String topic, String key, byte[] value) {
    producer.send(new ProducerRecord<>("sotto." + topic, key.getBytes(UTF_8), value));
  }

  private static void createTopics(EmbeddedBroker broker) throws Exception {
    try (Admin admin = Admin.create(Clients.settings(broker.bootstrapServers(), Map.of()))) {
      admin
          .createTopics(Stream.of("snapshots", "ledger", "metrics")
              .map(each -> new NewTopic("sotto." + each, 1, (short) 1))
              .toList())
          .all()
          .get();
    }
  }

  /** Patient, for machines with much else to do. */
  private static void await(Callable<Boolean> condition) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(150))
        .pollInterval(Duration.ofMillis(500))
        .until(condition);
  }
}
