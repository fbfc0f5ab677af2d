package dev.sotto.benchmarks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures the learner beside its own floor: a bare consumer and a Streams application that only counts,
 * on the same records, in the same process, in turns. The broker is another process of this machine.
 */
public final class EndToEnd {
  private static final int USAGE = 64;

  private final Options options;
  private final Broker broker;
  private final Learner direct;
  private final List<Contender> floor;

  private EndToEnd(Options options, Broker broker) {
    this.options = options;
    this.broker = broker;
    var witness = Witness.make();
    direct = new Learner(Setup.DIRECT, options.settings(), witness);
    floor = List.of(new RawConsumer(witness), new PassThrough(witness));
  }

  /** See {@link Options}; progress goes to stderr, results to stdout. */
  public static void main(String[] arguments) throws Exception {
    Options options;
    try {
      options = Options.of(arguments);
    } catch (IllegalArgumentException wrong) {
      System.err.println(wrong.getMessage());
      System.exit(USAGE);
      return;
    }
    Map<String, Object> machine = Machine.facts();
    say("%s", machine);
    try (Broker broker = Broker.start()) {
      say("broker at %s", broker.bootstrapServers());
      if (options.rounds()) {
        System.out.print(Trips.table(new Trips(options, broker).measure()));
      } else {
        var endToEnd = new EndToEnd(options, broker);
        List<Result> results = new ArrayList<>();
        for (Case what : options.cases()) {
          results.add(endToEnd.measure(what));
        }
        System.out.print(
            options.json()
                ? Report.json(options.quick(), machine, results) + System.lineSeparator()
                : Report.table(results));
      }
    }
    say("afterwards: %s", Machine.facts());
  }

  private List<Contender> contenders(Case what) {
    List<Contender> all = new ArrayList<>(floor);
    for (Setup setup : Setup.all()) {
      if (setup.equals(Setup.DIRECT)) {
        all.add(direct);
      } else if (what.suits(setup)) {
        all.add(new Learner(setup, options.settings(), Witness.make()));
      }
    }
    all.removeIf(each -> !options.wants(each.name()));
    return all;
  }

  private Result measure(Case what) throws Exception {
    long records = options.records(what);
    List<Contender> all = contenders(what);
    double bytes = 0;
    for (int partitions :
        all.stream().mapToInt(Contender::partitions).distinct().toArray()) {
      String topic = topic(what, partitions);
      say("%s: writing %,d records", topic, records);
      broker.create(topic, partitions);
      bytes = Events.write(what, topic, partitions, records, broker);
    }
    Map<String, List<Run>> runs = new LinkedHashMap<>();
    // First of all: the others need its configuration.
    direct.read(what, topic(what, direct.partitions()), records, broker);
    for (int i = -1; i < options.repetitions(); i++) {
      for (Contender each : all) {
        Run run = each.read(what, topic(what, each.partitions()), records, broker);
        if (i >= 0) { // the first time round warms up
          runs.computeIfAbsent(each.name(), name -> new ArrayList<>()).add(run);
        }
        say(
            "%s %2d %-13s %,9.0f/s %,9.0f/CPU-s %5.2f s; cores: client %.2f (its thread %.2f), broker %.2f",
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
    if (options.profile()) {
      profile(what, all, records);
    }
    broker.deleteAll("events-" + what.label);
    return new Result(what, records, bytes, runs);
  }

  private void profile(Case what, List<Contender> all, long records) throws Exception {
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

  private static String topic(Case what, int partitions) {
    return "events-" + what.label + "-" + partitions;
  }

  static void say(String format, Object... arguments) {
    System.err.printf(Locale.ROOT, format + "%n", arguments);
  }
}
