package dev.sotto.benchmarks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a round takes over its batch size, beside a bare round trip over two hops, in turns. */
final class Trips {
  /** A round's examples where examples are not what is measured. */
  static final int LITTLE = 256;

  private static final int MOST_ROUNDS = 200;
  private static final long RECORDS = 4 * 65_536L;

  private final Options options;
  private final Broker broker;
  private final Witness witness = Witness.make();
  private final TwoHops bare = new TwoHops(witness);

  Trips(Options options, Broker broker) {
    this.options = options;
    this.broker = broker;
  }

  /** One line of the table. */
  record Measured(Case what, Setup setup, long rounds, List<Run> runs, List<Run> bare) {
    Spread millis() {
      return Spread.of(runs, run -> 1e3 * run.seconds() / rounds);
    }

    Spread bareMillis() {
      return Spread.of(bare, run -> 1e3 * run.seconds() / run.records());
    }

    Spread overBare() {
      double[] ratios = new double[runs.size()];
      for (int i = 0; i < ratios.length; i++) {
        Run trip = bare.get(i);
        ratios[i] = runs.get(i).seconds() / rounds / (trip.seconds() / trip.records());
      }
      return Spread.of(ratios);
    }
  }

  List<Measured> measure() throws Exception {
    List<Measured> all = new ArrayList<>();
    for (Case what : options.cases()) {
      if (what == Case.DENSE_64 || what == Case.DENSE_1024 || what == Case.SOFTMAX) {
        all.addAll(measure(what));
      }
    }
    return all;
  }

  private List<Measured> measure(Case what) throws Exception {
    List<Setup> setups = new ArrayList<>();
    for (int batch : batches(what)) {
      setups.add(Setup.rounds(1, batch, 0, 1));
    }
    if (what == Case.DENSE_64) {
      setups.add(Setup.rounds(1, 4096, 1, 1));
      setups.add(Setup.rounds(2, 4096, 0, 1));
      setups.add(Setup.rounds(4, 4096, 0, 1));
      setups.add(Setup.rounds(4, 4096, 0, 2));
    }
    setups.removeIf(setup -> !options.wants(setup.name()));
    long records = what == Case.SOFTMAX ? RECORDS / 4 : RECORDS;
    for (int partitions : setups.stream().mapToInt(Setup::partitions).distinct().toArray()) {
      String topic = topic(what, partitions);
      EndToEnd.say("%s: writing %,d records", topic, records);
      broker.create(topic, partitions);
      Events.write(what, topic, partitions, records, broker);
    }
    Map<Setup, List<Run>> runs = new LinkedHashMap<>();
    Map<Setup, List<Run>> bares = new LinkedHashMap<>();
    for (int i = -1; i < options.repetitions(); i++) {
      for (Setup setup : setups) {
        long rounds = rounds(setup, records);
        var learner = new Learner(setup, options.settings(), witness);
        Run run =
            learner.read(what, topic(what, setup.partitions()), rounds * setup.batch(), broker);
        Run trip = bare.run(options.quick() ? 100 : 200, broker);
        EndToEnd.say(
            "%s %2d %-9s batch %,6d: %8.2f ms a round; %,9.0f/s; bare %6.2f ms; cores: client %.2f, broker %.2f",
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
    if (options.profile()) {
      profile(what, setups.get(0), records);
    }
    broker.deleteAll("events-" + what.label);
    return setups.stream()
        .map(setup ->
            new Measured(what, setup, rounds(setup, records), runs.get(setup), bares.get(setup)))
        .toList();
  }

  private void profile(Case what, Setup setup, long records) throws Exception {
    var profile = new Profile();
    var learner = new Learner(setup, options.settings(), witness);
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

  private static int[] batches(Case what) {
    return what == Case.DENSE_64
        ? new int[] {LITTLE, 1024, 4096, 16_384, 65_536}
        : what == Case.DENSE_1024
            ? new int[] {LITTLE, 1024, 4096, 16_384, 65_536}
            : new int[] {LITTLE, 4096};
  }

  private static long rounds(Setup setup, long records) {
    return Math.min(MOST_ROUNDS, records / setup.batch());
  }

  private static String topic(Case what, int partitions) {
    return "events-" + what.label + "-" + partitions;
  }

  /** A table in Markdown: medians, and least and most in brackets. */
  static String table(List<Measured> all) {
    var text = new StringBuilder("""
        | case | d | what | batch | ms a round | bare round trip, ms | over bare | thousand examples/s |
        |---|---|---|---|---|---|---|---|
        """);
    for (Measured each : all) {
      text.append(String.format(
          Locale.ROOT,
          "| %s | %d | %s | %d | %s | %s | %s | %.0f |%n",
          each.what.label,
          each.what.dimension(),
          each.setup.name(),
          each.setup.batch(),
          figures("%.1f (%.1f-%.1f)", each.millis()),
          figures("%.1f (%.1f-%.1f)", each.bareMillis()),
          figures("%.2f (%.2f-%.2f)", each.overBare()),
          Spread.of(each.runs, Run::perSecond).median() / 1e3));
    }
    return text.toString();
  }

  private static String figures(String format, Spread of) {
    return String.format(Locale.ROOT, format, of.median(), of.min(), of.max());
  }
}
