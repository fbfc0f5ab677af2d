package dev.sotto.benchmarks;

import dev.sotto.benchmarks.table.ResultTable;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.training.Plan;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.topology.read.CommittedTopic;
import dev.sotto.topology.read.LedgerChecker;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.settings.Cadence;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelIdRule;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.ServiceSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/**
 * Histories of very many units, each seen once: how long it takes to learn them, and how long to
 * restore them from the changelog on a machine without any state, up to the next round.
 */
final class HistoryRestore {
  private static final BenchmarkCase WHAT = BenchmarkCase.KEYED_16;
  private static final String MODEL = "model";
  private static final long MEGABYTE = 1 << 20;
  private static final Duration TRANSACTION = Duration.ofSeconds(60);

  private final long units;
  private final BenchmarkBroker broker;
  private final String app = "restore-" + UUID.randomUUID();
  private final String topic = app + "-events";

  HistoryRestore(long units, BenchmarkBroker broker) {
    this.units = units;
    this.broker = broker;
  }

  private record Times(double running, double round, long disk) {}

  /** A table in Markdown. */
  String measure() throws Exception {
    long batch = LearnerSetup.DIRECT.batch();
    long records = units / batch * batch;
    broker.create(topic, 1);
    EndToEnd.say("writing %,d records, each of another unit", records);
    var random = new SplittableRandom(WHAT.inputs);
    double[] values = random.doubles(WHAT.inputs, -0.2, 0.2).toArray();
    IntFunction<byte[]> event = place -> ExampleCodec.encodeDense(
        null, ("user-" + place).getBytes(StandardCharsets.US_ASCII), values, place % 2, 1);
    EventFiller.write(event, topic, 1, records, broker);
    try {
      Times first = run(records);
      EventFiller.write(event, topic, 1, 2 * batch, broker); // units that are known
      Times again = run(records + 2 * batch);
      ResultTable table = new ResultTable(
          "units",
          "learned in, s",
          "histories' changelog, MB",
          "store on disk, MB",
          "restored in, s",
          "next round after, s");
      table.add(
          records,
          Math.round(first.round),
          broker.bytes(Names.changelog(app, Names.UNITS)) / MEGABYTE,
          first.disk,
          Math.round(again.running * 10) / 10.0,
          Math.round(again.round * 10) / 10.0);
      return table.markdown();
    } finally {
      broker.deleteAll(app);
    }
  }

  /** From an empty folder until a number of slots is in the ledger. */
  private Times run(long slots) throws Exception {
    Map<String, String> clients = Map.of("bootstrap.servers", broker.bootstrapServers());
    Plan plan = WHAT.plan(LearnerSetup.DIRECT);
    var settings = new LearnerSettings(
        app,
        Layout.DIRECT,
        new LearnerSettings.Events(
            topic, new ModelIdRule(ModelIdRule.Source.CONSTANT, MODEL), WHAT::decoder),
        new LearnerSettings.Run(plan, NoiseKey.of(new byte[32]), "benchmark"),
        new Cadence(
            200_000,
            Duration.ofSeconds(60),
            Cadence.usualStateEvery(WHAT.dimension(), plan, Layout.DIRECT)));
    try (var folder = new TemporaryFolder()) {
      var service = new ServiceSettings(
          clients,
          folder.path(),
          new ServiceSettings.FirstStart((short) 1, false, Duration.ofDays(7)),
          1,
          TRANSACTION);
      long start = System.nanoTime();
      double running;
      double round;
      try (var learner = new LearnerService(settings, service)) {
        learner.start();
        while (!learner.isRunning()) {
          Thread.sleep(20);
          requireAlive(learner);
        }
        running = seconds(start);
        EndToEnd.say("running after %.1f s", running);
        awaitSlots(slots, clients, learner);
        round = seconds(start);
        EndToEnd.say("%,d slots after %.1f s", slots, round);
      }
      return new Times(running, round, disk(folder.path()));
    }
  }

  private void awaitSlots(long slots, Map<String, String> clients, LearnerService learner) {
    try (var ledger = CommittedTopic.followed(clients, Names.ledger(app))) {
      var checker = new LedgerChecker();
      while (!checker.newest().containsKey(MODEL) || checker.newest().get(MODEL).slots() < slots) {
        ledger.follow(
            Duration.ofMillis(100),
            entry -> checker.accept(entry.partition(), entry.offset(), entry.value()));
        requireAlive(learner);
      }
    }
  }

  private static void requireAlive(LearnerService learner) {
    if (learner.hasEnded()) {
      throw new IllegalStateException("the learner must not stop, but did", learner.failure());
    }
  }

  private static double seconds(long since) {
    return (System.nanoTime() - since) / 1e9;
  }

  private static long disk(Path folder) throws Exception {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile)
              .mapToLong(each -> each.toFile().length())
              .sum()
          / MEGABYTE;
    }
  }
}
