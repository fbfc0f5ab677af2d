package dev.sotto.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Measures the learner beside its own floor: a bare consumer and a Streams application that only
 * counts, on the same records, in the same process, in turns. The broker is another process of this
 * machine.
 */
public final class EndToEnd {
  private static final int USAGE = 64;

  private final BenchmarkOptions options;
  private final BenchmarkBroker broker;
  private final LearnerContender direct;
  private final List<Contender> floor;
  private final UnitAggregate aggregate;
  private final LateLabelsContender lateLabels;

  private EndToEnd(BenchmarkOptions options, BenchmarkBroker broker) {
    this.options = options;
    this.broker = broker;
    var captured = ConfigCapture.make();
    direct = new LearnerContender(LearnerSetup.DIRECT, options.settings, captured);
    floor = List.of(new RawConsumer(captured), new PassThrough(captured));
    aggregate = new UnitAggregate(captured);
    lateLabels = new LateLabelsContender(
        options.settings, Duration.ofMillis(options.labelWait), ConfigCapture.make());
  }

  /** The command line. Progress goes to stderr, results to stdout. */
  @Command(
      name = "benchmarks/run",
      description = "Measure the learner beside a broker on this machine.",
      exitCodeOnInvalidInput = USAGE,
      mixinStandardHelpOptions = true)
  static final class Main implements Callable<Integer> {
    @Mixin
    BenchmarkOptions options;

    @Override
    public Integer call() throws Exception {
      run(options);
      return 0;
    }
  }

  /** See {@link BenchmarkOptions}. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new Main()).execute(arguments));
  }

  private static void run(BenchmarkOptions options) throws Exception {
    Map<String, Object> machine = MachineInfo.facts();
    say("%s", machine);
    try (BenchmarkBroker broker = BenchmarkBroker.start()) {
      say("broker at %s", broker.bootstrapServers());
      if (options.rounds) {
        System.out.print(RoundTrips.table(new RoundTrips(options, broker).measure()));
      } else if (options.latency) {
        System.out.print(new VersionLatency(options, broker).measure());
      } else if (options.models > 0) {
        System.out.print(new ManyModels(options, broker).measure());
      } else if (options.restored > 0) {
        System.out.print(new HistoryRestore(options.restored, broker).measure());
      } else if (options.flights) {
        System.out.print(new BlockOfFlights(options, broker).measure());
      } else {
        var endToEnd = new EndToEnd(options, broker);
        List<CaseResult> results = new ArrayList<>();
        for (BenchmarkCase what : options.cases()) {
          results.add(endToEnd.measure(what));
        }
        System.out.print(
            options.json
                ? Report.json(options.quick, machine, results) + System.lineSeparator()
                : Report.table(results));
      }
    }
    say("afterwards: %s", MachineInfo.facts());
  }

  private List<Contender> contenders(BenchmarkCase what) {
    List<Contender> all = new ArrayList<>(floor);
    for (LearnerSetup setup : LearnerSetup.all()) {
      if (setup.equals(LearnerSetup.DIRECT)) {
        all.add(direct);
      } else if (what.suits(setup)) {
        all.add(new LearnerContender(setup, options.settings, ConfigCapture.make()));
      }
    }
    if (what.units > 0) {
      all.add(aggregate);
    }
    if (options.lateLabels && what.units == 0) {
      all.add(lateLabels);
    }
    all.removeIf(each -> !options.wants(each.name()));
    return all;
  }

  private CaseResult measure(BenchmarkCase what) throws Exception {
    long records = options.records(what);
    List<Contender> all = contenders(what);
    double bytes = 0;
    for (int partitions :
        all.stream().mapToInt(Contender::partitions).distinct().toArray()) {
      String topic = topic(what, partitions);
      say("%s: writing %,d records", topic, records);
      broker.create(topic, partitions);
      bytes = EventFiller.write(what, topic, partitions, records, broker);
    }
    Map<String, List<MeasuredRun>> runs = new LinkedHashMap<>();
    // First of all: the others need its configuration.
    direct.read(what, topic(what, direct.partitions()), records, broker);
    for (int i = -1; i < options.repetitions(); i++) {
      for (Contender each : all) {
        MeasuredRun run = each.read(what, topic(what, each.partitions()), records, broker);
        if (i >= 0) { // the first time round warms up
          runs.computeIfAbsent(each.name(), name -> new ArrayList<>()).add(run);
        }
        say(
            "%s %2d %-13s %,9.0f/s %,9.0f/CPU-s %5.2f s;"
                + " cores: client %.2f (its thread %.2f), broker %.2f",
            what.label,
            i,
            each.name(),
            run.perSecond(),
            run.perCpuSecond(),
            run.seconds(),
            run.cores(),
            run.threadCores(),
            run.brokerCores());
      }
    }
    if (options.profile) {
      profile(what, all, records);
    }
    broker.deleteAll("events-" + what.label);
    return new CaseResult(what, records, bytes, runs);
  }

  private void profile(BenchmarkCase what, List<Contender> all, long records) throws Exception {
    for (Contender each : all) {
      if (!each.name().equals(Report.RAW)) {
        var profile = new Profile();
        for (int i = 0; i < options.repetitions(); i++) {
          profile.of(each, what, topic(what, each.partitions()), records, broker);
        }
        say("%s %s%n%s", what.label, each.name(), profile.text());
      }
    }
  }

  private static String topic(BenchmarkCase what, int partitions) {
    return "events-" + what.label + "-" + partitions;
  }

  static void say(String format, Object... arguments) {
    System.err.printf(Locale.ROOT, format + "%n", arguments);
  }
}
