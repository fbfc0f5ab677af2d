package dev.sotto.benchmarks;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.training.Plan;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.topology.read.CommittedTopic;
import dev.sotto.topology.read.LedgerChecker;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.settings.Cadence;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelIdRule;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.ServiceSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeoutException;

/**
 * The product: its service, drawing and settings. It is timed at its decoder, record by record, as
 * the pass-through is at its processor. What it wrote is checked afterwards: a whole ledger of
 * every round.
 *
 * <p>In rounds the decoder stands before the hop, so that the timer ends when the ledger entry of
 * the last round is committed and read.
 */
class LearnerContender implements Contender {
  private static final Duration TRANSACTION = Duration.ofSeconds(10);
  private static final long PATIENCE_NANOS = 90_000_000_000L;
  private static final String MODEL = "model";

  private final LearnerSetup setup;
  private final Map<String, String> kafka;
  private final ConfigCapture captured;

  LearnerContender(LearnerSetup setup, Map<String, String> kafka, ConfigCapture captured) {
    this.setup = setup;
    this.kafka = kafka;
    this.captured = captured;
  }

  @Override
  public String name() {
    return setup.name();
  }

  @Override
  public int partitions() {
    return setup.partitions();
  }

  @Override
  public MeasuredRun read(BenchmarkCase what, String topic, long records, BenchmarkBroker broker)
      throws Exception {
    String app = "learn-" + UUID.randomUUID();
    Map<String, String> clients = new HashMap<>(kafka);
    clients.put("bootstrap.servers", broker.bootstrapServers());
    Plan plan = what.plan(setup);
    boolean direct = !setup.layout().sumsParts();
    var timer = new StageTimer(records, broker, direct);
    var settings = adapted(
        topic,
        timer,
        new LearnerSettings(
            app,
            setup.layout(),
            new LearnerSettings.Events(
                topic,
                new ModelIdRule(ModelIdRule.Source.CONSTANT, MODEL),
                () -> new TimedDecoder(decoder(what), timer)),
            new LearnerSettings.Run(plan, NoiseKey.of(new byte[32]), "benchmark"),
            new Cadence(
                200_000,
                Duration.ofSeconds(60),
                Cadence.usualStateEvery(what.dimension(), plan, setup.layout()))));
    try (var folder = new TemporaryFolder()) {
      var service = new ServiceSettings(
          clients,
          folder.path(),
          new ServiceSettings.FirstStart((short) 1, false, Duration.ofDays(7)),
          setup.threads(),
          TRANSACTION);
      try (var learner = new LearnerService(settings, service, captured)) {
        learner.start();
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (direct && !timer.await(100)) {
          check(learner, deadline, 0);
        }
        try (var ledger = CommittedTopic.followed(clients, Names.ledger(app))) {
          var checker = new LedgerChecker();
          while (slots(checker) < records) {
            ledger.follow(
                Duration.ofMillis(100),
                entry -> checker.accept(entry.partition(), entry.offset(), entry.value()));
            check(learner, deadline, slots(checker));
          }
          if (!direct) {
            timer.stop();
          }
          if (!checker.faults().isEmpty()) {
            throw new IllegalStateException("the ledger must be whole, but: " + checker.faults());
          }
        }
      }
      return timer.run();
    } finally {
      broker.deleteAll(app);
    }
  }

  /** What else is to be set. */
  LearnerSettings adapted(String topic, StageTimer timer, LearnerSettings settings) {
    return settings;
  }

  /** Reads the records of the topic that is learned from. */
  EventDecoder decoder(BenchmarkCase what) {
    return what.decoder();
  }

  private static long slots(LedgerChecker checker) {
    LedgerEntry newest = checker.newest().get(MODEL);
    return newest == null ? 0 : newest.slots();
  }

  private static void check(LearnerService learner, long deadline, long slots)
      throws TimeoutException {
    if (learner.hasEnded()) {
      throw new IllegalStateException("the learner must not stop, but did", learner.failure());
    }
    if (System.nanoTime() - deadline > 0) {
      Thread.getAllStackTraces().forEach((thread, stack) -> {
        if (thread.getName().contains("StreamThread")) {
          EndToEnd.say("%s is at %s", thread.getName(), List.of(stack));
        }
      });
      throw new TimeoutException("the learner must end in " + PATIENCE_NANOS / 1e9
          + " s, but its ledger holds " + slots + " slots, and it is "
          + (learner.isRunning() ? "" : "not ") + "running");
    }
  }
}
