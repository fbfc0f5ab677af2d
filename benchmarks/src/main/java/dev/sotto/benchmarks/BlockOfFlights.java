package dev.sotto.benchmarks;

import dev.sotto.benchmarks.experiments.FlightRounds;
import dev.sotto.benchmarks.experiments.FlightRounds.Contender;
import dev.sotto.benchmarks.table.ResultTable;
import dev.sotto.serdes.snapshot.SnapshotAssembler;
import dev.sotto.topology.read.CommittedTopic;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelIdRule;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.ServiceSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One block of recorded flights on a broker, by algorithms that take a few synchronous rounds: what
 * a round takes on the clock beside two bare hops, what is written to the topics between
 * coordinator and workers, and the loss of what was learned.
 */
final class BlockOfFlights {
  private static final int PARTITIONS = 4;
  private static final int BEHIND = 8 * PARTITIONS;
  private static final double EPSILON = 1;
  private static final int[] ROUNDS = {16, 32, 64};
  private static final Duration TRANSACTION = Duration.ofSeconds(10);
  private static final long PATIENCE_NANOS = 120_000_000_000L;

  private final BenchmarkOptions options;
  private final BenchmarkBroker broker;
  private final ConfigCapture captured = ConfigCapture.make();
  private final TwoHops bare = new TwoHops(captured);

  BlockOfFlights(BenchmarkOptions options, BenchmarkBroker broker) {
    this.options = options;
    this.broker = broker;
  }

  private record Case(Contender contender, int rounds) {}

  private record Block(double seconds, double loss, long down, long up) {}

  /** A table in Markdown; empty where the recorded data are not on this machine. */
  String measure() throws Exception {
    Optional<FlightRounds> opened = FlightRounds.open();
    if (opened.isEmpty()) {
      EndToEnd.say("--flights: skipped: the recorded data (shared/data) are not on this machine");
      return "";
    }
    FlightRounds flights = opened.get();
    write(flights, 1);
    write(flights, PARTITIONS);
    Map<Case, List<Block>> blocks = new LinkedHashMap<>();
    Map<Case, List<Double>> ratios = new LinkedHashMap<>();
    for (int i = -1; i < options.repetitions(); i++) {
      for (Case each : cases()) {
        Block block = run(flights, each);
        MeasuredRun trip = bare.run(options.quick ? 50 : 100, broker);
        double overBare = block.seconds / each.rounds / (trip.seconds() / trip.records());
        EndToEnd.say(
            "flights %2d %-42s %2d rounds: %8.1f ms a round, %6.1f of a bare round trip; loss %.4f",
            i,
            each.contender.label(),
            each.rounds,
            1e3 * block.seconds / each.rounds,
            overBare,
            block.loss);
        if (i >= 0) { // the first time round warms up
          blocks.computeIfAbsent(each, none -> new ArrayList<>()).add(block);
          ratios.computeIfAbsent(each, none -> new ArrayList<>()).add(overBare);
        }
      }
    }
    broker.deleteAll(topic(1));
    broker.deleteAll(topic(PARTITIONS));
    return table(blocks, ratios);
  }

  private List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    for (Contender contender : Contender.values()) {
      if (contender == Contender.CLIPPED_SGD) {
        cases.add(new Case(contender, 1));
      } else if (contender != Contender.RESQUE_WIDE && contender != Contender.NORMALISED_PLAIN) {
        for (int rounds : options.quick ? new int[] {16} : ROUNDS) {
          cases.add(new Case(contender, rounds));
        }
      }
    }
    return cases;
  }

  private static String topic(int partitions) {
    return "flights-in-" + partitions;
  }

  /** With some records more, since a slice ends where a record is seen behind it. */
  private void write(FlightRounds flights, int partitions) throws Exception {
    broker.create(topic(partitions), partitions);
    EventFiller.write(
        flights::event, topic(partitions), partitions, FlightRounds.SLOTS + BEHIND, broker);
  }

  private Block run(FlightRounds flights, Case what) throws Exception {
    String app = "flights-" + UUID.randomUUID();
    Map<String, String> clients = new HashMap<>(options.settings);
    clients.put("bootstrap.servers", broker.bootstrapServers());
    LearnerSettings configured = flights.learner(what.contender, EPSILON, what.rounds);
    int partitions = what.contender.isSynchronous() ? PARTITIONS : 1;
    StageTimer timer = new StageTimer(FlightRounds.SLOTS, broker, false);
    var settings = new LearnerSettings(
        app,
        configured.layout(),
        new LearnerSettings.Events(
            topic(partitions),
            new ModelIdRule(ModelIdRule.Source.CONSTANT, "flights"),
            () -> new TimedDecoder(configured.newDecoder(), timer)),
        new LearnerSettings.Run(configured.plan(), configured.key(), "benchmark"),
        configured.cadence());
    try (var folder = new TemporaryFolder()) {
      var service = new ServiceSettings(
          clients,
          folder.path(),
          new ServiceSettings.FirstStart((short) 1, false, Duration.ofDays(7)),
          1,
          TRANSACTION);
      double loss;
      try (var learner = new LearnerService(settings, service, captured)) {
        learner.start();
        double[] weights = lastModel(app, clients, learner, configured.plan().batch());
        timer.stop();
        loss = flights.loss(configured.plan(), weights);
      }
      return new Block(
          timer.run().seconds(),
          loss,
          broker.bytes(Names.control(app)),
          broker.bytes(Names.sums(app)));
    } finally {
      broker.deleteAll(app);
    }
  }

  private static double[] lastModel(
      String app, Map<String, String> clients, LearnerService learner, long batch)
      throws TimeoutException {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    long versions = FlightRounds.SLOTS / batch;
    var assembler = new SnapshotAssembler();
    var last = new AtomicReference<double[]>();
    try (var snapshots = CommittedTopic.followed(clients, Names.snapshots(app))) {
      while (last.get() == null) {
        snapshots.follow(
            Duration.ofMillis(5),
            record -> assembler
                .accept(record.key(), record.value())
                .filter(model -> model.manifest().version() >= versions)
                .ifPresent(model -> last.set(model.weights())));
        if (learner.hasEnded()) {
          throw new IllegalStateException("the learner must not stop, but did", learner.failure());
        }
        if (System.nanoTime() - deadline > 0) {
          Thread.getAllStackTraces().forEach((thread, stack) -> {
            if (thread.getName().contains("StreamThread")) {
              EndToEnd.say("%s is at %s", thread.getName(), List.of(stack));
            }
          });
          throw new TimeoutException("the block must end in " + PATIENCE_NANOS / 1e9
              + " s, but has not: rounds committed " + learner.status().roundsCommitted()
              + ", awaiting " + learner.status().awaited());
        }
      }
    }
    return last.get();
  }

  private static String table(Map<Case, List<Block>> blocks, Map<Case, List<Double>> ratios) {
    ResultTable table = new ResultTable(
        "algorithm",
        "rounds",
        "gradients of a slot",
        "s a block",
        "ms a round",
        "over a bare round trip",
        "MB down",
        "MB up",
        "log-loss");
    blocks.forEach((each, runs) -> table.add(
        each.contender.label(),
        each.contender.isSynchronous() ? each.rounds : "one pass, direct",
        each.contender.gradients(each.rounds),
        Quantiles.of(runs, Block::seconds).text(1, 2),
        each.contender.isSynchronous()
            ? Quantiles.of(runs, run -> 1e3 * run.seconds / each.rounds).text(1, 0)
            : "",
        each.contender.isSynchronous()
            ? Quantiles.of(ratios.get(each), ratio -> ratio).text(1, 1)
            : "",
        Quantiles.of(runs, Block::down).text(1e6, 2),
        Quantiles.of(runs, Block::up).text(1e6, 2),
        Quantiles.of(runs, Block::loss).text(1, 4)));
    return table.markdown();
  }
}
