package dev.sotto.connectors;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.broker.BrokerSettings;
import dev.sotto.broker.EmbeddedBroker;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.testbroker.Clients;
import dev.sotto.testbroker.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The file sink on a distributed worker with exactly-once on, which is killed. */
@Tag("long")
@Timeout(600)
class KilledFileSinkLongIT {
  private static EmbeddedBroker broker;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS) // the worker's log is in it
  private Path folder;

  @BeforeAll
  static void start() {
    broker = EmbeddedBroker.start(BrokerSettings.temporary()
        .withProperties(Map.of(
            "group.min.session.timeout.ms", "1000",
            "transaction.abort.timed.out.transaction.cleanup.interval.ms", "1000")));
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  @Test
  void keepsWholeFilesThoughTheWorkerIsKilled() throws Exception {
    createTopic();
    Map<String, String> settings = Map.of(
        "connector.class",
        "dev.sotto.connectors.model.ModelFileSink",
        "topics",
        "swaps",
        "directory",
        folder + "/m",
        "consumer.override.session.timeout.ms",
        "2000", // the dead task is missed soon
        "consumer.override.heartbeat.interval.ms",
        "500",
        "consumer.override.isolation.level",
        "read_committed");
    Path file = folder.resolve("m").resolve("user%2F7.json");
    try (var producer = new KafkaProducer<>(
        Clients.settings(broker.bootstrapServers(), Map.of("transactional.id", "swaps")),
        new ByteArraySerializer(),
        new ByteArraySerializer())) {
      producer.initTransactions();
      try (WorkerProcess worker = new WorkerProcess(folder, broker.bootstrapServers())) {
        worker.put("swaps", json(settings));
        AtomicLong newest = new AtomicLong();
        await(
            () -> { // a version every 200 ms, until the file is being replaced
              publishSwap(producer, newest.incrementAndGet());
              return version(file) >= 3;
            });
        for (int i = 0; i < 20; i++) {
          publishSwap(producer, newest.incrementAndGet());
        }
        worker.kill();
        requireWhole(file);
        publishSwap(producer, newest.incrementAndGet());
        try (WorkerProcess again = new WorkerProcess(folder, broker.bootstrapServers())) {
          again.put("swaps", json(settings));
          await(() -> version(file) == newest.get());
          requireWhole(file);
          again.kill(); // before the folder goes
        }
      }
    }
  }

  private static void publishSwap(KafkaProducer<byte[], byte[]> producer, long version) {
    SmallModel.publish(producer, "swaps", version, new double[] {version, -version});
    producer.commitTransaction();
  }

  /** A version with its own weights and their digest. */
  private static void requireWhole(Path file) throws IOException {
    JsonNode model = new ObjectMapper().readTree(file.toFile());
    double version = model.get("version").asLong();
    assertThat(model.get("weights").get(0).asDouble()).isEqualTo(version);
    assertThat(model.get("weights").get(1).asDouble()).isEqualTo(-version);
    assertThat(model.get("digest").asText())
        .isEqualTo(HexFormat.of()
            .formatHex(
                ModelSnapshot.digest(new double[] {version, -version}, SmallModel.GUARANTEE)));
  }

  private static long version(Path json) throws IOException {
    return Files.exists(json)
        ? new ObjectMapper().readTree(json.toFile()).get("version").asLong()
        : 0;
  }

  private static String json(Map<String, String> settings) throws IOException {
    return new ObjectMapper().writeValueAsString(settings);
  }

  private static void createTopic() throws Exception {
    try (Admin admin = Admin.create(Clients.settings(broker.bootstrapServers(), Map.of()))) {
      Topics.create(admin, new NewTopic("swaps", 1, (short) 1));
    }
  }

  /** Patient, for machines with much else to do. */
  private static void await(Callable<Boolean> condition) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(90))
        .pollInterval(Duration.ofMillis(200))
        .until(condition);
  }
}
