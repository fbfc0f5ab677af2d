package dev.sotto.app.scale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.app.crash.EventWriter;
import dev.sotto.app.crash.Watcher;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.testbroker.Topics;
import dev.sotto.topology.live.GroupProgress;
import dev.sotto.topology.read.CommittedTopic;
import dev.sotto.topology.settings.Names;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.ConfigResource;

/**
 * One learner on several instances while events keep coming: disturbs it, times the pauses in its
 * ledger, and at the end compares what it committed with an undisturbed learner's.
 */
final class ScaleRun implements AutoCloseable {
  /** Longer than any pause on a slow machine, and less than a transaction takes to time out. */
  private static final long PATIENCE_SECONDS = 300;

  private final String servers;
  private final String app;
  private final Shape shape;
  private final String protocol;
  private final Path config;
  private final Admin admin;
  private final EventWriter writer;
  private final Watcher watcher;
  private final LedgerWatch ledger;
  private final List<Thread> threads = new ArrayList<>();
  final Instances instances;

  ScaleRun(
      String servers,
      Path folder,
      String app,
      Shape shape,
      String protocol,
      Map<String, String> more)
      throws Exception {
    this.servers = servers;
    this.app = app;
    this.shape = shape;
    this.protocol = protocol;
    this.admin = Admin.create(Map.of("bootstrap.servers", servers));
    this.config = configuration(folder, more);
    Topics.create(admin, new NewTopic(topic(), Optional.of(shape.partitions()), Optional.empty()));
    this.writer = new EventWriter(servers, topic(), shape.partitions(), shape.pauseMillis(), 1);
    this.watcher = new Watcher(servers, app, shape.homes());
    this.ledger = new LedgerWatch(servers, app, shape.homes());
    this.instances = new Instances(admin, folder, config, app, protocol);
  }

  private String topic() {
    return app + "-events";
  }

  private Path configuration(Path folder, Map<String, String> more) throws IOException {
    Path key = folder.resolve("noise.key");
    NoiseKey.create(key);
    Map<String, String> all = new TreeMap<>(Map.ofEntries(
        Map.entry("app.id", app),
        Map.entry("bootstrap.servers", servers),
        Map.entry("layout", shape.name()),
        Map.entry("events.topic", topic()),
        Map.entry("events.format", "example"),
        Map.entry("features.dimension", Integer.toString(EventWriter.DIMENSION)),
        Map.entry("batch.size", Integer.toString(Shape.BATCH)),
        Map.entry("release.every.slots", Integer.toString(Shape.BATCH)),
        Map.entry("loss", "logistic"),
        Map.entry("privacy.epsilon", "1000"),
        Map.entry("privacy.delta", "1e-6"),
        Map.entry("privacy.noise.multiplier", "8"),
        Map.entry("noise.key.file", key.toString()),
        Map.entry("transaction.timeout.ms", "8000"),
        Map.entry("kafka.commit.interval.ms", "1000"), // most kills leave a transaction open
        Map.entry("kafka.group.protocol", protocol)));
    if (protocol.equals("streams")) { // standbys are then a setting of the group
      ConfigResource group = new ConfigResource(ConfigResource.Type.GROUP, app);
      AlterConfigOp standby = new AlterConfigOp(
          new ConfigEntry("streams.num.standby.replicas", "1"), AlterConfigOp.OpType.SET);
      try {
        admin.incrementalAlterConfigs(Map.of(group, List.of(standby))).all().get();
      } catch (Exception failed) {
        throw new AssertionError(failed);
      }
    } else {
      all.put("kafka.num.standby.replicas", "1");
    }
    all.putAll(shape.settings());
    all.putAll(more);
    return Files.writeString(
        folder.resolve("sotto.yaml"),
        all.entrySet().stream()
            .map(each -> each.getKey() + ": \"" + each.getValue() + "\"\n")
            .collect(Collectors.joining()));
  }

  /**
   * Starts so many instances at once, and waits until all of them work and all models have had
   * rounds.
   */
  void begin(int count) throws Exception {
    start(writer);
    for (int i = 0; i < count; i++) {
      instances.add();
    }
    await("the ledger", () -> admin.listTopics().names().get().contains(Names.snapshots(app)));
    start(ledger);
    start(watcher);
    awaitWorking(count);
  }

  /**
   * Waits until the given number of instances are members and those that can have a task have one,
   * and then for a round of every model.
   */
  void awaitWorking(int count) throws Exception {
    long working = Math.min(count, shape.tasks());
    await(
        count + " instances, " + working + " of them at work",
        () -> instances.count() == count && instances.working() == working);
    long now = System.nanoTime();
    await("rounds", () -> ledger.allSince(now));
  }

  /** The instance on which the trainer of a partition's model runs. */
  int trainerOf(int home) throws Exception {
    int[] found = {-1};
    String from = switch (shape.name()) {
      case "ordered" -> Names.order(app);
      case "rounds" -> Names.sums(app);
      default -> topic();
    };
    await("an owner of " + from, () -> (found[0] = instances.holder(from, home)) >= 0);
    return found[0];
  }

  /** What is done to the run. */
  interface Disturbance {
    void strike() throws Exception;
  }

  /**
   * Disturbs, watches for a while and until every model has had a round since, and prints the
   * longest pause, which it returns, in seconds.
   */
  double disturb(String what, int watchSeconds, Disturbance disturbance) throws Exception {
    long start = System.nanoTime();
    disturbance.strike();
    long until = start + TimeUnit.SECONDS.toNanos(watchSeconds);
    await("rounds after: " + what, () -> System.nanoTime() - until > 0 && ledger.allSince(until));
    double pause = ledger.longestPause(start);
    System.out.printf(
        Locale.ROOT, "pause %5.1f s: %s, %s, %s%n", pause, shape.name(), protocol, what);
    return pause;
  }

  /** Waits until the ledger has so many entries. */
  void awaitEntries(long count) throws Exception {
    await(count + " versions", () -> ledger.seen() >= count);
  }

  /** What the partitions of a topic take on all disks, in bytes. */
  long bytes(String topic) throws Exception {
    var nodes =
        admin.describeCluster().nodes().get().stream().map(each -> each.id()).toList();
    return admin.describeLogDirs(nodes).allDescriptions().get().values().stream()
        .flatMap(disks -> disks.values().stream())
        .flatMap(disk -> disk.replicaInfos().entrySet().stream())
        .filter(each -> each.getKey().topic().equals(topic))
        .mapToLong(each -> each.getValue().size())
        .sum();
  }

  /** Ends the stream, lets everything be learned, stops all instances and judges what is there. */
  void finish() throws Exception {
    writer.stop();
    threads.get(0).join();
    awaitEnd();
    instances.stopAll();
    ledger.stop();
    watcher.stop();
    for (Thread thread : threads) {
      thread.join();
    }
    shape.reference().check(Outcome.of(config, servers, writer.committed()));
    assertThat(watcher.seen()).isGreaterThanOrEqualTo(ledger.seen());
    assertThat(watcher.conflicts()).isEmpty();
  }

  private void awaitEnd() throws Exception {
    if (shape.name().equals("rounds")) { // a partition that is ahead waits for the others, for ever
      long rounds = fullRounds();
      await(rounds + " rounds", () -> ledger.seen() >= rounds);
      return;
    }
    GroupProgress group = new GroupProgress(admin, app);
    String followed = shape.name().equals("ordered") ? Names.order(app) : topic();
    await("the end of " + followed, () -> group.hasReachedEndOf(followed));
    long rounds = writer.fullRounds(Shape.BATCH, shape.homes());
    await(rounds + " rounds", () -> ledger.seen() >= rounds); // the trainer may be behind the group
  }

  /** Those of which every partition has its slice. */
  private long fullRounds() throws Exception {
    Map<Integer, Long> ends = new TreeMap<>();
    await("the last commit of the events", () -> {
      long[] count = {0};
      try (var committed = new CommittedTopic(Map.of("bootstrap.servers", servers), topic())) {
        committed.readToEnd(record -> {
          ends.put(record.partition(), record.offset() + 1);
          count[0]++;
        });
      }
      return count[0] == writer.committed();
    });
    assertThat(ends).hasSize(shape.partitions());
    long slice = Shape.BATCH / shape.partitions();
    return ends.values().stream().mapToLong(end -> end / slice).min().orElseThrow();
  }

  /** How many writes were seen twice: those of transactions that were aborted. */
  long repeats() {
    return watcher.repeats();
  }

  private void start(Runnable what) {
    Thread thread = new Thread(what, app + "-" + threads.size());
    thread.setDaemon(true);
    thread.start();
    threads.add(thread);
  }

  private interface Condition {
    boolean holds() throws Exception;
  }

  private void await(String what, Condition condition) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!condition.holds()) {
      instances.requireAlive();
      writer.committed();
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError(
            "waited " + PATIENCE_SECONDS + " s for " + what + "; see " + config.getParent());
      }
      Thread.sleep(50);
    }
  }

  @Override
  public void close() {
    writer.stop();
    watcher.stop();
    ledger.stop();
    try {
      instances.killAll();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
    admin.close();
  }
}
