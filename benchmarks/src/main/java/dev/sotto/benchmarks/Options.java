package dev.sotto.benchmarks;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What was asked for on the command line.
 *
 * @param quick fewer records and repetitions
 * @param json one JSON object instead of a table
 * @param profile also sample where the learner spends its time
 * @param funnel also the funnel layout, in the case that has it
 * @param cases what to measure
 * @param settings of Kafka, for every contender
 */
record Options(
    boolean quick,
    boolean json,
    boolean profile,
    boolean funnel,
    Set<Case> cases,
    Map<String, String> settings) {
  private static final String USAGE =
      "usage: benchmarks/run [--quick] [--json] [--profile] [--funnel] [--case NAME]..."
          + " [--set KAFKA.SETTING=VALUE]...";

  /** Reads the arguments; the message of its exception is for the user. */
  static Options of(String... arguments) {
    boolean quick = false;
    boolean json = false;
    boolean profile = false;
    boolean funnel = false;
    Set<Case> cases = EnumSet.noneOf(Case.class);
    Map<String, String> settings = new TreeMap<>();
    for (int i = 0; i < arguments.length; i++) {
      switch (arguments[i]) {
        case "--quick" -> quick = true;
        case "--json" -> json = true;
        case "--profile" -> profile = true;
        case "--funnel" -> funnel = true;
        case "--case" -> cases.add(named(++i < arguments.length ? arguments[i] : ""));
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
        funnel,
        cases.isEmpty() ? EnumSet.allOf(Case.class) : cases,
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

  /** Records in a topic: whole rounds, and enough that reading them takes seconds. */
  long records(Case what) {
    int rounds = switch (what) {
      case DENSE_16, KEYED_16 -> quick ? 400 : 1000;
      case DENSE_64 -> quick ? 300 : 700;
      case SPARSE_20 -> quick ? 128 : 256;
    };
    return (long) rounds * Case.BATCH;
  }

  int repetitions() {
    return quick ? 3 : 5;
  }
}
