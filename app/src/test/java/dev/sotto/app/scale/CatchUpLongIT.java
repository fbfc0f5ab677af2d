package dev.sotto.app.scale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.app.Main;
import dev.sotto.app.crash.LearnerProcess;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.testbroker.BrokerCluster;
import dev.sotto.testbroker.Topics;
import dev.sotto.topology.live.Published;
import dev.sotto.topology.read.LedgerChecker;
import dev.sotto.topology.settings.Names;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Twelve partitions of records of 8 KB wait, together several times the heap. The learner, a process
 * that ends where its heap does not suffice, catches up with them. Prints the heap that was in use
 * after collections.
 */
@Tag("long")
@Timeout(600)
class CatchUpLongIT {
  private static final int PARTITIONS = 12;
  private static final int DIMENSION = 1000; // of 8 bytes
  private static final int BATCH = 256;
  private static final int RECORDS = PARTITIONS * BATCH * 48; // 1.2 GB
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(400);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path folder;

  /** 512 MB is what the learner takes by itself of a container of 1 GB. */
  @ParameterizedTest
  @CsvSource({"direct, partition, 512", "ordered, constant, 512", "ordered, constant, 256"})
  void catchesUpWithSeveralTimesItsHeap(String layout, String models, int heap) throws Exception {
    try (BrokerCluster broker = BrokerCluster.start(folder.resolve("broker"), 1, Map.of())) {
      String servers = broker.bootstrapServers();
      write(servers);
      Path log = folder.resolve("gc.log");
      LearnerProcess learner = LearnerProcess.launch(
          folder,
          "learner",
          "-Xmx" + heap + "m",
          "-XX:+ExitOnOutOfMemoryError",
          "-Xlog:gc:file=" + log,
          Main.class.getName(),
          "run",
          "-c",
          configuration(servers, layout, models).toString());
      try {
        long begin = System.nanoTime();
        LedgerChecker ledger = checked(servers);
        while (slots(ledger) < RECORDS) {
          assertThat(learner.isAlive()).as("alive; see " + folder).isTrue();
          assertThat(System.nanoTime() - begin).as(slots(ledger) + " slots").isLessThan(PATIENCE);
          Thread.sleep(1000);
          ledger = checked(servers);
        }
        assertThat(ledger.faults()).isEmpty();
        assertThat(slots(ledger)).isEqualTo(RECORDS);
        System.out.printf(
            Locale.ROOT,
            "%s, heap of %d MB: %,d records in %.0f s, at most %d MB after a collection%n",
            layout,
            heap,
            RECORDS,
            (System.nanoTime() - begin) / 1e9,
            Collections.max(CollectorLog.left(log)));
      } finally {
        learner.kill();
      }
    }
  }

  private static LedgerChecker checked(String servers) throws Exception {
    LedgerChecker checker = new LedgerChecker();
    Map<String, String> clients = Map.of("bootstrap.servers", servers);
    try (Admin admin = Admin.create(Map.copyOf(clients))) {
      if (!admin.listTopics().names().get().contains(Names.ledger("large"))) {
        return checker;
      }
    }
    Published.read(clients, Names.ledger("large"))
        .forEach(each -> checker.accept(each.partition(), each.offset(), each.value()));
    return checker;
  }

  private static long slots(LedgerChecker ledger) {
    return ledger.newest().values().stream().mapToLong(LedgerEntry::slots).sum();
  }

  private Path configuration(String servers, String layout, String models) throws IOException {
    Path key = folder.resolve("noise.key");
    NoiseKey.create(key);
    return Files.writeString(folder.resolve("sotto.yaml"), """
        app.id: large
        bootstrap.servers: "%s"
        layout: %s
        events.topic: large-events
        events.format: example
        features.dimension: %d
        loss: logistic
        batch.size: %d
        release.every.slots: %d
        model.id.source: %s
        model.id: m
        privacy.epsilon: 2
        privacy.delta: 1e-6
        noise.key.file: "%s"
        topics.replication.factor: 1
        state.dir: "%s"
        """.formatted(
            servers, layout, DIMENSION, BATCH, BATCH, models, key, folder.resolve("state")));
  }

  private static void write(String servers) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
      Topics.create(admin, new NewTopic("large-events", Optional.of(PARTITIONS), Optional.empty()));
    }
    var bytes = new ByteArraySerializer();
    Map<String, Object> config =
        Map.of("bootstrap.servers", servers, "batch.size", 1 << 18, "linger.ms", 20);
    try (var producer = new KafkaProducer<>(config, bytes, bytes)) {
      for (int i = 0; i < RECORDS; i++) {
        double[] values = new double[DIMENSION];
        values[i % DIMENSION] = 0.5;
        byte[] event = ExampleCodec.encodeDense(null, null, values, i % 2, 1);
        producer.send(new ProducerRecord<>("large-events", i % PARTITIONS, null, event));
      }
    }
  }
}
