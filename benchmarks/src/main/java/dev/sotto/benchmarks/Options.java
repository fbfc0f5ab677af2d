package dev.sotto.benchmarks;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What was asked for on the command line.
 *
 * @param quick fewer records and repetitions
 * @param json one JSON object instead of a table
 * @param profile also sample where the learner spends its time
 * @param rounds what a round takes over its batch size, instead of what an example takes
 * @param repeat how often, or 0 for the usual number
 * @param cases what to measure
 * @param contenders whom to measure; all where it is empty
 * @param settings of Kafka, for every contender
 */
record Options(
    boolean quick,
    boolean json,
    boolean profile,
    boolean rounds,
    int repeat,
    Set<Case> cases,
    Set<String> contenders,
    Map<String, String> settings) {
  private static final String USAGE =
      "usage: benchmarks/run [--quick] [--json] [--profile] [--rounds] [--repeat N] [--case NAME]..."
          + " [--contender NAME]... [--set KAFKA.SETTING=VALUE]...";

  /** Reads the arguments; the message of its exception is for the user. */
  static Options of(String... arguments) {
    boolean quick = false;
    boolean json = false;
    boolean profile = false;
    boolean rounds = false;
    int repeat = 0;
    Set<Case> cases = EnumSet.noneOf(Case.class);
    Set<String> contenders = new TreeSet<>();
    Map<String, String> settings = new TreeMap<>();
    for (int i = 0; i < arguments.length; i++) {
      switch (arguments[i]) {
        case "--quick" -> quick = true;
        case "--json" -> json = true;
        case "--profile" -> profile = true;
        case "--rounds" -> rounds = true;
        case "--repeat" -> repeat = number(++i < arguments.length ? arguments[i] : "");
        case "--case" -> cases.add(named(++i < arguments.length ? arguments[i] : ""));
        case "--contender" -> contenders.add(contender(++i < arguments.length ? arguments[i] : ""));
        case "--set" -> {
          String[] pair = (++i < arguments.length ? arguments[i] : "").split("=", 2);
          if (pair.length < 2) {
            throw new IllegalArgumentException("--set needs NAME=VALUE, but was " + pair[0]);
          }
          settings.put(pair[0], pair[1]);
        }
        default ->
          throw new IllegalArgumentException(
              "there is no option " + arguments[i] + System.lineSeparator() + USAGE);
      }
    }
    return new Options(
        quick,
        json,
        profile,
        rounds,
        repeat,
        cases.isEmpty() ? EnumSet.allOf(Case.class) : cases,
        Set.copyOf(contenders),
        Map.copyOf(settings));
  }

  private static Case named(String label) {
    return Arrays.stream(Case.values())
        .filter(each -> each.label.equals(label))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("a case must be one of "
            + Arrays.stream(Case.values()).map(each -> each.label).collect(Collectors.joining(", "))
            + ", but was " + label));
  }

  private static int number(String text) {
    if (!text.matches("[1-9]\\d?")) {
      throw new IllegalArgumentException("--repeat needs a number from 1 to 99, but was " + text);
    }
    return Integer.parseInt(text);
  }

  private static String contender(String name) {
    List<String> known = Stream.concat(
            Stream.of(Report.RAW, Report.PASS_THROUGH), Setup.all().stream().map(Setup::name))
        .toList();
    if (!known.contains(name)) {
      throw new IllegalArgumentException(
          "a contender must be one of " + String.join(", ", known) + ", but was " + name);
    }
    return name;
  }

  /** Whether a contender is to be measured; the pass-through always is, since all are held against it. */
  boolean wants(String contender) {
    return contenders.isEmpty()
        || contenders.contains(contender)
        || contender.equals(Report.PASS_THROUGH);
  }

  /** Records in a topic: whole rounds, and enough that reading them takes seconds. */
  long records(Case what) {
    int rounds = switch (what) {
      case DENSE_16, KEYED_16, DENSE_64 -> quick ? 8 : 40;
      case DENSE_1024 -> quick ? 2 : 4;
      case SPARSE_20 -> quick ? 3 : 16;
      case SOFTMAX -> quick ? 2 : 3;
    };
    return (long) rounds * Setup.LARGE;
  }

  int repetitions() {
    return repeat > 0 ? repeat : quick ? 3 : 5;
  }
}
