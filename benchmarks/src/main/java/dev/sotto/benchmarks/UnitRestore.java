package dev.sotto.benchmarks;

import dev.sotto.evaluation.text.ResultTable;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.training.Plan;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelIdRule;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.ServiceSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * What an instance does that has lost its folder: reads the histories of all units from their
 * changelog, until it runs. One event of every unit comes first, so that each has a history.
 */
final class UnitRestore {
  private static final BenchmarkCase WHAT = BenchmarkCase.KEYED_16;
  private static final Duration TRANSACTION = Duration.ofSeconds(60);
  private static final long MEGABYTE = 1 << 20;
  private static final long STALLED = TimeUnit.SECONDS.toNanos(120);

  private final BenchmarkOptions options;
  private final BenchmarkBroker broker;
  private final String app = "restore-" + UUID.randomUUID();

  UnitRestore(BenchmarkOptions options, BenchmarkBroker broker) {
    this.options = options;
    this.broker = broker;
  }

  /** A table in Markdown. */
  String measure() throws Exception {
    int units = options.units - options.units % LearnerSetup.DIRECT.batch();
    String events = app + "-events";
    broker.create(events, 1);
    EndToEnd.say("writing one event of each of %,d units", units);
    EventFiller.write(UnitRestore::event, events, 1, units, broker);
    try {
      double learned = learn(events, units);
      EndToEnd.say("learned: %,.0f events/s", learned);
      long bytes = broker.bytes(Names.changelog(app, Names.UNITS));
      ResultTable table = new ResultTable(
          "units", "changelog, MB", "learned, events/s", "restored in, s", "histories/s");
      for (int i = 0; i < options.repetitions(); i++) {
        double seconds = restore(events, units);
        EndToEnd.say("restored in %.1f s", seconds);
        table.add(
            units,
            bytes / MEGABYTE,
            Math.round(learned),
            Math.round(10 * seconds) / 10.0,
            Math.round(units / seconds));
      }
      return table.markdown();
    } finally {
      broker.deleteAll(app);
    }
  }

  private static byte[] event(int number) {
    double[] values = new double[WHAT.inputs];
    values[number % values.length] = number % 3 - 0.5;
    byte[] unit = ("user-" + number).getBytes(StandardCharsets.US_ASCII);
    return ExampleCodec.encodeDense(null, unit, values, number % 2, 1);
  }

  private double learn(String events, int units) throws Exception {
    var timer = new StageTimer(units, broker);
    try (var folder = new TemporaryFolder();
        var learner = new LearnerService(settings(events, timer), service(folder.path()))) {
      learner.start();
      while (!timer.await(1000)) {
        requireAlive(learner);
      }
    } // closing commits what was learned
    return timer.run().perSecond();
  }

  /** From the start of an instance without a folder until it runs, in seconds. */
  private double restore(String events, int units) throws Exception {
    try (var folder = new TemporaryFolder();
        var learner = new LearnerService(
            settings(events, new StageTimer(units, broker)), service(folder.path()))) {
      long start = System.nanoTime();
      learner.start();
      while (!learner.isRunning() || !learner.restores().haveProgressed()) {
        requireAlive(learner);
        if (System.nanoTime() - start > STALLED * Math.max(1, units / 1_000_000)) {
          throw new IllegalStateException(
              "a restore must end, but: " + learner.restores().describe());
        }
        Thread.sleep(20);
      }
      return (System.nanoTime() - start) / 1e9;
    }
  }

  private static void requireAlive(LearnerService learner) {
    if (learner.hasEnded()) {
      throw new IllegalStateException("the learner must not stop, but did", learner.failure());
    }
  }

  private LearnerSettings settings(String events, StageTimer timer) {
    Plan plan = WHAT.plan(LearnerSetup.DIRECT);
    return new LearnerSettings(
        app,
        LearnerSetup.DIRECT.layout(),
        new LearnerSettings.Events(
            events,
            new ModelIdRule(ModelIdRule.Source.CONSTANT, "model"),
            () -> new TimedDecoder(WHAT.decoder(), timer)),
        new LearnerSettings.Run(plan, NoiseKey.of(new byte[32]), "benchmark"),
        new LearnerSettings.Cadence(
            200_000,
            Duration.ofSeconds(60),
            LearnerSettings.Cadence.usualStateEvery(
                WHAT.dimension(), plan, LearnerSetup.DIRECT.layout())));
  }

  private ServiceSettings service(Path folder) {
    return new ServiceSettings(
        Map.of("bootstrap.servers", broker.bootstrapServers()),
        folder,
        new ServiceSettings.FirstStart((short) 1, false, Duration.ofDays(7)),
        1,
        TRANSACTION);
  }
}
