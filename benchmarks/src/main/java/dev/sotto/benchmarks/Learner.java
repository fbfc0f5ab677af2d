package dev.sotto.benchmarks;

import dev.sotto.learner.example.Slot;
import dev.sotto.learner.example.Verdict;
import dev.sotto.learner.privacy.LedgerEntry;
import dev.sotto.learner.release.NoiseKey;
import dev.sotto.learner.round.Plan;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.topology.Layout;
import dev.sotto.topology.LearnerService;
import dev.sotto.topology.LearnerSettings;
import dev.sotto.topology.ModelIds;
import dev.sotto.topology.Names;
import dev.sotto.topology.ServiceSettings;
import dev.sotto.topology.read.CommittedTopic;
import dev.sotto.topology.read.LedgerChecker;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeoutException;

/**
 * The product: its service, drawing and settings. It is timed at its decoder, record by record, as the
 * pass-through is at its processor. What it wrote is checked afterwards: a whole ledger of every round.
 *
 * <p>In the funnel the decoder stands before the hop, so that the lap ends when the ledger entry of the
 * last round is committed and read; up to two commit intervals later than the last record is learned.
 */
final class Learner implements Contender {
  private static final Duration TRANSACTION = Duration.ofSeconds(10);
  private static final long PATIENCE_NANOS = 180_000_000_000L;
  private static final String MODEL = "model";

  private final Layout layout;
  private final Map<String, String> kafka;
  private final Witness witness;

  Learner(Layout layout, Map<String, String> kafka, Witness witness) {
    this.layout = layout;
    this.kafka = kafka;
    this.witness = witness;
  }

  @Override
  public Run read(Case what, String topic, long records, Broker broker) throws Exception {
    String app = "learn-" + UUID.randomUUID();
    Map<String, String> clients = new HashMap<>(kafka);
    clients.put("bootstrap.servers", broker.bootstrapServers());
    Plan plan = what.plan();
    boolean funnel = layout == Layout.FUNNEL;
    var lap = new Lap(records, broker, !funnel);
    var settings = new LearnerSettings(
        app,
        layout,
        topic,
        new ModelIds(ModelIds.Source.CONSTANT, MODEL),
        plan,
        NoiseKey.of(new byte[32]),
        "benchmark",
        () -> new Timed(what.decoder(), lap),
        new LearnerSettings.Cadence(200_000, Duration.ofSeconds(60), what.every(), what.every()));
    try (var folder = new Scratch()) {
      var service = new ServiceSettings(
          clients, folder.path(), (short) 1, false, Duration.ofDays(7), 1, TRANSACTION);
      try (var learner = new LearnerService(settings, service, witness)) {
        learner.start();
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (!funnel && !lap.await(100)) {
          check(learner, deadline);
        }
        try (var ledger = new CommittedTopic(clients, Names.ledger(app))) {
          var checker = new LedgerChecker();
          while (slots(checker) < records) {
            ledger.follow(
                Duration.ofMillis(100),
                entry -> checker.accept(entry.partition(), entry.offset(), entry.value()));
            check(learner, deadline);
          }
          if (funnel) {
            lap.stop();
          }
          if (!checker.faults().isEmpty()) {
            throw new IllegalStateException("the ledger must be whole, but: " + checker.faults());
          }
        }
      }
      return lap.run();
    } finally {
      broker.deleteAll(app);
    }
  }

  private static long slots(LedgerChecker checker) {
    LedgerEntry newest = checker.newest().get(MODEL);
    return newest == null ? 0 : newest.slots();
  }

  private static void check(LearnerService learner, long deadline) throws TimeoutException {
    if (learner.hasEnded()) {
      throw new IllegalStateException("the learner must not stop, but did", learner.failure());
    }
    if (System.nanoTime() - deadline > 0) {
      throw new TimeoutException("the learner must end in " + PATIENCE_NANOS / 1e9 + " s");
    }
  }

  /** The decoder of a case, and a stopwatch. */
  private record Timed(EventDecoder decoder, Lap lap) implements EventDecoder {
    @Override
    public int dimension() {
      return decoder.dimension();
    }

    @Override
    public Verdict decode(byte[] key, byte[] value, Slot into) {
      lap.tick();
      return decoder.decode(key, value, into);
    }
  }
}
