package dev.sotto.benchmarks;

import dev.sotto.benchmarks.table.ResultTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a round takes over its batch size, beside a bare round trip over two hops, in turns. */
final class RoundTrips {
  /** A round's examples where examples are not what is measured. */
  static final int LITTLE = 256;

  private static final int MOST_ROUNDS = 200;
  private static final long RECORDS = 4 * 65_536L;

  private final BenchmarkOptions options;
  private final BenchmarkBroker broker;
  private final ConfigCapture captured = ConfigCapture.make();
  private final TwoHops bare = new TwoHops(captured);

  RoundTrips(BenchmarkOptions options, BenchmarkBroker broker) {
    this.options = options;
    this.broker = broker;
  }

  /** One line of the table. */
  record Measured(
      BenchmarkCase what,
      LearnerSetup setup,
      long rounds,
      List<MeasuredRun> runs,
      List<MeasuredRun> bare) {
    Quantiles millis() {
      return Quantiles.of(runs, run -> 1e3 * run.seconds() / rounds);
    }

    Quantiles bareMillis() {
      return Quantiles.of(bare, run -> 1e3 * run.seconds() / run.records());
    }

    Quantiles overBare() {
      double[] ratios = new double[runs.size()];
      for (int i = 0; i < ratios.length; i++) {
        MeasuredRun trip = bare.get(i);
        ratios[i] = runs.get(i).seconds() / rounds / (trip.seconds() / trip.records());
      }
      return Quantiles.of(ratios);
    }
  }

  List<Measured> measure() throws Exception {
    List<Measured> all = new ArrayList<>();
    for (BenchmarkCase what : options.cases()) {
      if (what == BenchmarkCase.DENSE_64
          || what == BenchmarkCase.DENSE_1024
          || what == BenchmarkCase.SOFTMAX) {
        all.addAll(measure(what));
      }
    }
    return all;
  }

  private List<Measured> measure(BenchmarkCase what) throws Exception {
    List<LearnerSetup> setups = new ArrayList<>();
    for (int batch : batches(what)) {
      setups.add(LearnerSetup.rounds(1, batch, 0, 1));
    }
    if (what == BenchmarkCase.DENSE_64) {
      setups.add(LearnerSetup.rounds(1, 4096, 1, 1));
      setups.add(LearnerSetup.rounds(2, 4096, 0, 1));
      setups.add(LearnerSetup.rounds(4, 4096, 0, 1));
      setups.add(LearnerSetup.rounds(4, 4096, 0, 2));
    }
    setups.removeIf(setup -> !options.wants(setup.name()));
    long records = what == BenchmarkCase.SOFTMAX ? RECORDS / 4 : RECORDS;
    for (int partitions :
        setups.stream().mapToInt(LearnerSetup::partitions).distinct().toArray()) {
      String topic = topic(what, partitions);
      EndToEnd.say("%s: writing %,d records", topic, records);
      broker.create(topic, partitions);
      EventFiller.write(what, topic, partitions, records, broker);
    }
    Map<LearnerSetup, List<MeasuredRun>> runs = new LinkedHashMap<>();
    Map<LearnerSetup, List<MeasuredRun>> bares = new LinkedHashMap<>();
    for (int i = -1; i < options.repetitions(); i++) {
      for (LearnerSetup setup : setups) {
        long rounds = rounds(setup, records);
        var learner = new LearnerContender(setup, options.settings, captured);
        MeasuredRun run =
            learner.read(what, topic(what, setup.partitions()), rounds * setup.batch(), broker);
        MeasuredRun trip = bare.run(options.quick ? 100 : 200, broker);
        EndToEnd.say(
            "%s %2d %-9s batch %,6d: %8.2f ms a round; %,9.0f/s; bare %6.2f ms;"
                + " cores: client %.2f, broker %.2f",
            what.label,
            i,
            setup.name(),
            setup.batch(),
            1e3 * run.seconds() / rounds,
            run.perSecond(),
            1e3 * trip.seconds() / trip.records(),
            run.cores(),
            run.brokerCores());
        if (i >= 0) { // the first time round warms up
          runs.computeIfAbsent(setup, each -> new ArrayList<>()).add(run);
          bares.computeIfAbsent(setup, each -> new ArrayList<>()).add(trip);
        }
      }
    }
    if (options.profile) {
      profile(what, setups.get(0), records);
    }
    broker.deleteAll("events-" + what.label);
    return setups.stream()
        .map(setup ->
            new Measured(what, setup, rounds(setup, records), runs.get(setup), bares.get(setup)))
        .toList();
  }

  private void profile(BenchmarkCase what, LearnerSetup setup, long records) throws Exception {
    var profile = new Profile();
    var learner = new LearnerContender(setup, options.settings, captured);
    for (int i = 0; i < options.repetitions(); i++) {
      profile.of(
          learner,
          what,
          topic(what, setup.partitions()),
          rounds(setup, records) * setup.batch(),
          broker);
    }
    EndToEnd.say("%s %s batch %d%n%s", what.label, setup.name(), setup.batch(), profile.text());
  }

  private static int[] batches(BenchmarkCase what) {
    return what == BenchmarkCase.DENSE_64
        ? new int[] {LITTLE, 1024, 4096, 16_384, 65_536}
        : what == BenchmarkCase.DENSE_1024
            ? new int[] {LITTLE, 1024, 4096, 16_384, 65_536}
            : new int[] {LITTLE, 4096};
  }

  private static long rounds(LearnerSetup setup, long records) {
    return Math.min(MOST_ROUNDS, records / setup.batch());
  }

  private static String topic(BenchmarkCase what, int partitions) {
    return "events-" + what.label + "-" + partitions;
  }

  /** A table in Markdown: medians, and least and most in brackets. */
  static String table(List<Measured> all) {
    ResultTable table = new ResultTable(
        "case",
        "d",
        "what",
        "batch",
        "ms a round",
        "bare round trip, ms",
        "over bare",
        "thousand examples/s");
    for (Measured each : all) {
      table.add(
          each.what.label,
          each.what.dimension(),
          each.setup.name(),
          each.setup.batch(),
          each.millis().text(1, 1),
          each.bareMillis().text(1, 1),
          each.overBare().text(1, 2),
          Math.round(Quantiles.of(each.runs, MeasuredRun::perSecond).median() / 1e3));
    }
    return table.markdown();
  }
}
