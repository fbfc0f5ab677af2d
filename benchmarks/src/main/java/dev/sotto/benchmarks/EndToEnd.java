package dev.sotto.benchmarks;

import dev.sotto.topology.KafkaLogs;
import dev.sotto.topology.Layout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures the learner beside its own floor: a bare consumer and a Streams application that only counts,
 * on the same topic, in the same process, in turns. The broker is another process of this machine.
 */
public final class EndToEnd {
  private static final int USAGE = 64;

  private final Options options;
  private final Broker broker;
  private final Map<String, Contender> contenders = new LinkedHashMap<>();
  private final Learner learner;
  private final Learner funnel;

  private EndToEnd(Options options, Broker broker) {
    this.options = options;
    this.broker = broker;
    var witness = new Witness(new KafkaLogs(Duration.ofSeconds(10)));
    learner = new Learner(Layout.DIRECT, options.settings(), witness);
    funnel = new Learner(Layout.FUNNEL, options.settings(), witness);
    contenders.put(Report.RAW, new RawConsumer(witness));
    contenders.put(Report.PASS_THROUGH, new PassThrough(witness));
    contenders.put(Report.LEARNER, learner);
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

  private Result measure(Case what) throws Exception {
    String topic = "events-" + what.label;
    long records = options.records(what);
    say("%s: writing %,d records", what.label, records);
    broker.create(topic);
    double bytes = Events.write(what, topic, records, broker);
    Map<String, Contender> all = new LinkedHashMap<>(contenders);
    if (what == Case.DENSE_64 && options.funnel()) {
      all.put(Report.FUNNEL, funnel);
    }
    Map<String, List<Run>> runs = new LinkedHashMap<>();
    learner.read(what, topic, records, broker); // first of all: the others need its configuration
    for (int i = -1; i < options.repetitions(); i++) {
      for (var each : all.entrySet()) {
        Run run = each.getValue().read(what, topic, records, broker);
        if (i >= 0) { // the first time round warms up
          runs.computeIfAbsent(each.getKey(), name -> new ArrayList<>()).add(run);
        }
        say(
            "%s %2d %-13s %,9.0f/s %,9.0f/CPU-s %5.2f s; cores: client %.2f (its thread %.2f), broker %.2f",
            what.label,
            i,
            each.getKey(),
            run.perSecond(),
            run.perCpuSecond(),
            run.seconds(),
            run.cores(),
            run.threadCores(),
            run.brokerCores());
      }
    }
    if (options.profile()) {
      for (var each : all.entrySet()) {
        if (!each.getKey().equals(Report.RAW)) {
          var profile = new Profile();
          for (int i = 0; i < options.repetitions(); i++) {
            profile.of(each.getValue(), what, topic, records, broker);
          }
          say("%s %s%n%s", what.label, each.getKey(), profile.text());
        }
      }
    }
    broker.deleteAll(topic);
    return new Result(what, records, bytes, runs);
  }

  private static void say(String format, Object... arguments) {
    System.err.printf(Locale.ROOT, format + "%n", arguments);
  }
}
