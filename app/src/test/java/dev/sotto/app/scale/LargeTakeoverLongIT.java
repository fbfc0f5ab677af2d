package dev.sotto.app.scale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.key.NoiseKey;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.testbroker.BrokerCluster;
import dev.sotto.testbroker.Topics;
import dev.sotto.testing.Seed;
import dev.sotto.topology.settings.Names;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
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
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How long a model whose state takes 100 MB is without a round when the process that learns it is
 * killed, with the settings that docs/scaling.md recommends. It prints the times; only one that is
 * several times as long as any ever measured fails.
 */
@Tag("long")
@Timeout(900)
class LargeTakeoverLongIT {
  private static final String APP = "large";
  private static final String TOPIC = "large-events";
  /** 56 bytes each of noise, 10 to 13 of noisy sums and steps: 103 MB and more. */
  private static final int WEIGHTS = 1_550_000;

  private static final int BATCH = 4096;
  private static final int PER_SECOND = 4000;
  private static final int KILLS = 3;
  private static final double LONGEST_PAUSE = 60; // seconds; measured: 11 (docs/scaling.md)
  private static final int FEATURES = 20;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path folder;

  private volatile boolean stopped;

  @ParameterizedTest
  @ValueSource(strings = {"ordered", "direct"})
  void goesOnWithAStateOfAHundredMegabytes(String layout) throws Exception {
    try (BrokerCluster broker = BrokerCluster.start(folder.resolve("broker"), 1, Map.of());
        Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      String servers = broker.bootstrapServers();
      Topics.create(admin, new NewTopic(TOPIC, Optional.of(1), Optional.empty()));
      LedgerWatch ledger = new LedgerWatch(servers, APP, 1);
      Instances instances =
          new Instances(admin, folder, configuration(servers, layout), APP, "classic", "1g");
      try {
        thread(() -> write(servers));
        instances.add();
        instances.add();
        await(() -> admin.listTopics().names().get().contains(Names.ledger(APP)), instances);
        thread(ledger);
        for (int kill = 0; kill < KILLS; kill++) {
          long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(80 + 13 * kill);
          await(() -> System.nanoTime() - until > 0 && ledger.allSince(until), instances);
          int[] holder = {-1};
          String from = layout.equals("ordered") ? Names.order(APP) : TOPIC;
          await(() -> (holder[0] = instances.holder(from, 0)) >= 0, instances);
          long start = System.nanoTime();
          instances.kill(holder[0]);
          long after = start + TimeUnit.SECONDS.toNanos(25);
          await(() -> System.nanoTime() - after > 0 && ledger.allSince(after), instances);
          double pause = ledger.longestPause(start);
          System.out.printf(Locale.ROOT, "pause %5.1f s: %s, state of 100 MB%n", pause, layout);
          assertThat(pause).isLessThan(LONGEST_PAUSE);
          instances.add();
        }
        assertThat(changelog(admin)).isGreaterThan(100_000_000L);
      } finally {
        stopped = true;
        ledger.stop();
        instances.killAll();
      }
    }
  }

  private Path configuration(String servers, String layout) throws Exception {
    Path key = folder.resolve("noise.key");
    NoiseKey.create(key);
    return Files.writeString(folder.resolve("sotto.yaml"), """
        app.id: %s
        bootstrap.servers: %s
        layout: %s
        events.topic: %s
        events.format: example
        features.dimension: %d
        batch.size: %d
        release.every.slots: %d
        loss: logistic
        privacy.epsilon: 1000
        privacy.delta: 1e-6
        privacy.noise.multiplier: 8
        noise.key.file: %s
        transaction.timeout.ms: 30000
        kafka.num.standby.replicas: 1
        checkpoint.interval.ms: 10000
        """.formatted(
            APP, servers, layout, TOPIC, WEIGHTS, BATCH, BATCH, key));
  }

  /** Bytes in the changelog of the state. */
  private static long changelog(Admin admin) throws Exception {
    String topic = Names.changelog(APP, Names.LEARNER);
    int node = admin.describeCluster().nodes().get().iterator().next().id();
    return admin.describeLogDirs(List.of(node)).allDescriptions().get().values().stream()
        .flatMap(folders -> folders.values().stream())
        .flatMap(each -> each.replicaInfos().entrySet().stream())
        .filter(each -> each.getKey().topic().equals(topic))
        .mapToLong(each -> each.getValue().size())
        .sum();
  }

  private interface Condition {
    boolean holds() throws Exception;
  }

  private static void await(Condition condition, Instances instances) throws Exception {
    while (!condition.holds()) {
      instances.requireAlive();
      Thread.sleep(20);
    }
  }

  private static void thread(Runnable what) {
    Thread thread = new Thread(what);
    thread.setDaemon(true);
    thread.start();
  }

  /** Examples of 20 features, so many a second. */
  private void write(String servers) {
    ByteArraySerializer bytes = new ByteArraySerializer();
    SplittableRandom random = Seed.splittable(1);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(Map.of("bootstrap.servers", servers), bytes, bytes)) {
      long start = System.nanoTime();
      for (long sent = 0; !stopped; sent++) {
        int[] indices = random.ints(FEATURES, 0, WEIGHTS).sorted().distinct().toArray();
        double[] values = new double[indices.length];
        Arrays.fill(values, 0.2);
        producer.send(new ProducerRecord<>(
            TOPIC, ExampleCodec.encodeSparse(null, null, indices, values, random.nextInt(2), 1)));
        long due = start + sent * (TimeUnit.SECONDS.toNanos(1) / PER_SECOND);
        while (System.nanoTime() - due < 0 && !stopped) {
          Thread.sleep(1);
        }
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }
}
