package dev.sotto.benchmarks;

import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.PrefixMechanism;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options of {@code benchmarks/run}. */
final class BenchmarkOptions {
  @Option(names = "--quick", description = "Fewer records and repetitions.")
  boolean quick;

  @Option(names = "--json", description = "Print one JSON object instead of a table.")
  boolean json;

  @Option(names = "--profile", description = "Also sample where the learner spends its time.")
  boolean profile;

  @Option(
      names = "--rounds",
      description = "Measure the time of a round over its batch size, not of an example.")
  boolean rounds;

  @Option(
      names = "--flights",
      description =
          "Measure one block of recorded flights by algorithms of few rounds: time, bytes, loss.")
  boolean flights;

  @Option(
      names = "--latency",
      description = "Measure how long versions take from their last event, at 1000 events/s.")
  boolean latency;

  @Option(
      names = "--many-models",
      paramLabel = "N",
      arity = "0..1",
      fallbackValue = "10000",
      description = "Measure N models of 2^16 weights by key, in turn, beside 50. Default: 10000.")
  int models;

  @Option(
      names = "--restore",
      paramLabel = "UNITS",
      arity = "0..1",
      fallbackValue = "10000000",
      description =
          "Measure how long the histories of this number of units take to restore. Default:"
              + " 10000000.")
  int restored;

  @Option(
      names = "--late-labels",
      description = "Also measure the learner behind a join with labels that come later: contender"
          + " lateLabels.")
  boolean lateLabels;

  @Option(
      names = "--label-wait",
      paramLabel = "MS",
      description =
          "How long events wait for labels, in milliseconds of log time. All are appended in some"
              + " seconds: the longer, the more of them wait at once. Default: 200.")
  int labelWait = 200;

  @Option(
      names = "--turns",
      paramLabel = "N",
      description =
          "How often each of many models has its turn, a round of 256 events. Default: 2.")
  int turns = 2;

  @Option(
      names = "--mechanism",
      paramLabel = "NAME[:SET]",
      converter = MechanismConverter.class,
      description = "The noise of many models, as privacy.mechanism and, behind a colon,"
          + " privacy.blt.set have it. Default: blt.")
  PrefixMechanism mechanism = Mechanisms.BLT.make();

  @Option(
      names = "--case",
      paramLabel = "NAME",
      converter = CaseConverter.class,
      description = "What to measure; may be repeated. Default: all.")
  private Set<BenchmarkCase> cases = EnumSet.noneOf(BenchmarkCase.class);

  @Option(
      names = "--set",
      paramLabel = "SETTING=VALUE",
      description = "A setting of Kafka for every contender; may be repeated.")
  Map<String, String> settings = new TreeMap<>();

  @Option(
      names = "--repeat",
      paramLabel = "N",
      converter = RepeatConverter.class,
      description = "Repetitions, from 1 to 99.")
  private Integer repeat;

  @Option(
      names = "--contender",
      paramLabel = "NAME",
      converter = ContenderConverter.class,
      description = "Whom to measure; may be repeated. Default: all.")
  private Set<String> contenders = new TreeSet<>();

  /** Reads a number of repetitions. */
  static final class RepeatConverter implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      if (!text.matches("[1-9]\\d?")) {
        throw new TypeConversionException(
            "--repeat must be a number from 1 to 99, but was " + text);
      }
      return Integer.valueOf(text);
    }
  }

  /** Reads the name of a contender. */
  static final class ContenderConverter implements ITypeConverter<String> {
    @Override
    public String convert(String name) {
      List<String> known = Stream.concat(
              Stream.of(
                  Report.RAW, Report.PASS_THROUGH, UnitAggregate.NAME, LateLabelsContender.NAME),
              LearnerSetup.all().stream().map(LearnerSetup::name))
          .toList();
      if (!known.contains(name)) {
        throw new TypeConversionException(
            "a contender must be one of " + String.join(", ", known) + ", but was " + name);
      }
      return name;
    }
  }

  /** Reads a case by its label. */
  static final class CaseConverter implements ITypeConverter<BenchmarkCase> {
    @Override
    public BenchmarkCase convert(String label) {
      return Arrays.stream(BenchmarkCase.values())
          .filter(each -> each.label.equals(label))
          .findFirst()
          .orElseThrow(() -> new TypeConversionException("a case must be one of "
              + Arrays.stream(BenchmarkCase.values())
                  .map(each -> each.label)
                  .collect(Collectors.joining(", "))
              + ", but was " + label));
    }
  }

  static final class MechanismConverter implements ITypeConverter<PrefixMechanism> {
    @Override
    public PrefixMechanism convert(String text) {
      String[] parts = text.split(":", 2);
      Mechanisms mechanism = Mechanisms.named(parts[0])
          .orElseThrow(() -> new TypeConversionException("a mechanism must be one of "
              + Arrays.stream(Mechanisms.values())
                  .map(Mechanisms::configName)
                  .collect(Collectors.joining(", "))
              + ", but was " + text));
      if (parts.length == 1) {
        return mechanism.make();
      }
      if (!mechanism.sets().contains(parts[1])) {
        throw new TypeConversionException("a set of " + parts[0] + " must be one of "
            + mechanism.sets() + ", but was " + parts[1]);
      }
      return mechanism.make(parts[1]);
    }
  }

  /** The cases to measure. */
  Set<BenchmarkCase> cases() {
    return cases.isEmpty() ? EnumSet.allOf(BenchmarkCase.class) : cases;
  }

  /** Whether to measure a contender. The pass-through always is: all are compared with it. */
  boolean wants(String contender) {
    return contenders.isEmpty()
        || contenders.contains(contender)
        || contender.equals(Report.PASS_THROUGH);
  }

  /** Records in a topic: whole rounds, and enough that reading them takes seconds. */
  long records(BenchmarkCase what) {
    int rounds = switch (what) {
      case DENSE_16, KEYED_16, DENSE_64 -> quick ? 8 : 40;
      case DENSE_1024 -> quick ? 2 : 4;
      case HASHED_20, SPARSE_20 -> quick ? 3 : 16;
      case SOFTMAX -> quick ? 2 : 3;
    };
    return (long) rounds * LearnerSetup.LARGE;
  }

  int repetitions() {
    return repeat != null ? repeat : quick ? 3 : 5;
  }
}
