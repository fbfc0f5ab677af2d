package dev.sotto.app.scale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.app.crash.SlotChecks;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.testbroker.BrokerCluster;
import dev.sotto.testbroker.Topics;
import dev.sotto.testing.Seed;
import dev.sotto.topology.live.Published;
import dev.sotto.topology.read.LedgerChecker;
import dev.sotto.topology.settings.Names;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two learners on one broker for an hour, each of two processes: a thousand models by key in layout
 * {@code direct}, and one model in layout {@code ordered} whose topic is given more partitions. A
 * process is killed every half minute, and another takes its place. Heap, disk and lag are sampled:
 * the last third must be as the middle one. {@code sotto.soak.minutes} makes it shorter.
 */
@Tag("long")
class SoakLongIT {
  private static final int MINUTES = Integer.getInteger("sotto.soak.minutes", 60);
  private static final int MODELS = 1000;
  private static final int BATCH = 20;
  private static final int PARTITIONS = 2;
  private static final long MEGABYTE = 1 << 20;

  /** On a machine that does other work too. */
  private static final Duration PATIENCE = Duration.ofMinutes(15);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path folder;

  /** One learner of the two. */
  private record Part(
      String app, Instances instances, SoakWriter writer, List<SoakSample> samples) {
    String topic() {
      return app + "-events";
    }

    /** What its group reads. */
    String followed() {
      return app.equals("growing") ? Names.order(app) : topic();
    }
  }

  @Test
  @Timeout(7200)
  void keepsItsSizeAndLosesNothing() throws Exception {
    try (BrokerCluster broker = BrokerCluster.start(folder.resolve("broker"), 1, Map.of());
        Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      String servers = broker.bootstrapServers();
      List<Part> parts = List.of(
          part(admin, servers, "models", "direct", "key"),
          part(admin, servers, "growing", "ordered", "constant"));
      try {
        soak(admin, parts);
        for (Part part : parts) {
          part.writer.stop();
          awaitEnd(admin, part);
          part.instances.stopAll();
        }
        checkModels(servers, parts.get(0));
        checkOrder(servers, parts.get(1));
        parts.forEach(part -> requireFlat(part.app, part.samples));
      } finally {
        for (Part part : parts) {
          part.writer.stop();
          part.instances.killAll();
        }
      }
    }
  }

  private Part part(Admin admin, String servers, String app, String layout, String ids)
      throws Exception {
    Topics.create(admin, new NewTopic(app + "-events", Optional.of(PARTITIONS), Optional.empty()));
    Path home = Files.createDirectory(folder.resolve(app));
    NoiseKey.create(home.resolve("noise.key"));
    Path config = Files.writeString(home.resolve("sotto.yaml"), """
        app.id: %s
        bootstrap.servers: "%s"
        layout: %s
        model.id.source: %s
        events.topic: %s-events
        events.format: example
        features.dimension: %d
        loss: logistic
        batch.size: %d
        release.every.slots: %d
        privacy.epsilon: 1000
        privacy.delta: 1e-6
        privacy.noise.multiplier: 8
        noise.key.file: "%s"
        transaction.timeout.ms: 8000
        kafka.num.standby.replicas: 1
        kafka.metadata.max.age.ms: 5000
        """.formatted(
            app,
            servers,
            layout,
            ids,
            app,
            SoakWriter.DIMENSION,
            BATCH,
            BATCH,
            home.resolve("noise.key")));
    Instances instances = new Instances(admin, home, config, app, "classic");
    instances.add();
    instances.add();
    SoakWriter writer =
        new SoakWriter(servers, app + "-events", ids.equals("key") ? MODELS : 0, PARTITIONS);
    Thread thread = new Thread(writer, app);
    thread.setDaemon(true);
    thread.start();
    return new Part(app, instances, writer, new ArrayList<>());
  }

  private void soak(Admin admin, List<Part> parts) throws Exception {
    for (Part part : parts) {
      awaitStart(admin, part);
    }
    Random random = Seed.random(1);
    long start = System.nanoTime();
    long end = start + TimeUnit.MINUTES.toNanos(MINUTES);
    int partitions = PARTITIONS;
    for (int turn = 1; System.nanoTime() - end < 0; turn++) {
      Thread.sleep(TimeUnit.SECONDS.toMillis(10));
      for (Part part : parts) {
        part.writer.requireAlive();
        part.instances.requireAlive();
        part.samples.add(SoakSample.of(admin, folder.resolve(part.app), part.app, part.followed()));
      }
      if (turn % 3 == 0) {
        Part part = parts.get(random.nextInt(parts.size()));
        int killed = part.instances.any(random);
        part.instances.kill(killed);
        part.instances.add();
      }
      long elapsed = System.nanoTime() - start;
      if (partitions < PARTITIONS + 3
          && elapsed > (partitions - 1) * TimeUnit.MINUTES.toNanos(MINUTES) / 8) {
        partitions++;
        admin
            .createPartitions(Map.of(parts.get(1).topic(), NewPartitions.increaseTo(partitions)))
            .all()
            .get();
        Thread.sleep(TimeUnit.SECONDS.toMillis(1)); // until the broker tells everybody
        parts.get(1).writer.partitions(partitions);
      }
    }
  }

  /** Until something has been learned: its topics are there, and so are its group's offsets. */
  private static void awaitStart(Admin admin, Part part) {
    Awaitility.await().atMost(PATIENCE).until(() -> {
      part.instances.requireAlive();
      return !admin
          .listConsumerGroupOffsets(part.app)
          .partitionsToOffsetAndMetadata()
          .get()
          .isEmpty();
    });
  }

  private static void awaitEnd(Admin admin, Part part) throws Exception {
    Awaitility.await().atMost(PATIENCE).until(() -> {
      part.instances.requireAlive();
      return SoakSample.lag(admin, part.app, part.followed()) == 0;
    });
    Thread.sleep(TimeUnit.SECONDS.toMillis(10)); // of layout ordered the trainer reads on
  }

  private static List<LedgerEntry> ledger(String servers, String app) {
    List<LedgerEntry> entries = new ArrayList<>();
    LedgerChecker checker = new LedgerChecker();
    Published.read(Map.of("bootstrap.servers", servers), Names.ledger(app)).forEach(each -> {
      checker.accept(each.partition(), each.offset(), each.value());
      entries.add(Codecs.LEDGER.decode(each.value()));
    });
    assertThat(checker.faults()).isEmpty();
    return entries;
  }

  /** Of every model each version has the records of its key between those of the one before. */
  private static void checkModels(String servers, Part part) {
    Map<String, List<LedgerEntry>> ledgers = ledger(servers, part.app).stream()
        .collect(Collectors.groupingBy(LedgerEntry::modelId, TreeMap::new, Collectors.toList()));
    assertThat(ledgers).hasSize(MODELS);
    ledgers.forEach((model, entries) -> SlotChecks.check(entries, part.writer.slots(model), BATCH));
    System.out.printf(Locale.ROOT, "soak: %s, every slot in one round%n", part.app);
  }

  /** The ranges of each partition lie end to end from its first record on. */
  private static void checkOrder(String servers, Part part) {
    Map<Integer, Long> done = new TreeMap<>();
    long slots = 0;
    for (LedgerEntry entry : ledger(servers, part.app)) {
      for (OffsetRange range : entry.ranges()) {
        assertThat(range.from()).isEqualTo(done.getOrDefault(range.partition(), 0L));
        done.put(range.partition(), range.to());
      }
      slots += BATCH;
      assertThat(entry.slots()).isEqualTo(slots);
      assertThat(done.values().stream().mapToLong(each -> each).sum()).isEqualTo(slots);
    }
    assertThat(done).hasSize(PARTITIONS + 3);
    assertThat(part.writer.sent() - slots).isBetween(0L, BATCH - 1L);
    System.out.printf(
        Locale.ROOT, "soak: %s, every one of %,d slots in one round%n", part.app, slots);
  }

  private static void requireFlat(String app, List<SoakSample> samples) {
    int third = samples.size() / 3;
    SoakSample middle = SoakSample.worst(samples.subList(third, 2 * third));
    SoakSample last = SoakSample.worst(samples.subList(2 * third, samples.size()));
    System.out.printf(Locale.ROOT, "soak: %s, middle third %s, last third %s%n", app, middle, last);
    assertThat(last.heap()).isLessThan(middle.heap() * 3 / 2 + 16 * MEGABYTE);
    assertThat(last.stateFolders()).isLessThan(middle.stateFolders() * 3 / 2 + 16 * MEGABYTE);
    assertThat(last.changelogs()).isLessThan(middle.changelogs() * 3 / 2 + 128 * MEGABYTE);
    assertThat(last.lag()).isLessThan(2 * middle.lag() + 20L * SoakWriter.PER_SECOND);
  }
}
