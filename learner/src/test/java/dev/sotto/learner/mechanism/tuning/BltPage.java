package dev.sotto.learner.mechanism.tuning;

import dev.sotto.learner.mechanism.BltParameterSets;
import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.PrefixMechanism;
import dev.sotto.learner.participation.ContributionBound;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
import java.util.function.LongToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** The tables of docs/development/figures.md, computed. */
final class BltPage {
  private static final int[] OCTAVES = {6, 10, 14, 20, 24, 30};
  private static final long[] WINDOWS = {16, 64, 256, 1024};
  private static final long[] PARTICIPATIONS = {1, 10, 100, 1000};

  private BltPage() {}

  static String tables() {
    return String.join("\n", horizons(), anytime(), felt(), returners());
  }

  private static PrefixMechanism blt(BltParameterSets set) {
    return Mechanisms.blt(set.parameters());
  }

  private static String horizons() {
    List<String> lines = new ArrayList<>();
    lines.add("### Known horizon n: the largest error up to n, charged at n");
    lines.add("");
    lines.add("| set | sens(n) | error | over square root | over lower bound | sens(endless) |");
    lines.add("| --- | ---: | ---: | ---: | ---: | ---: |");
    for (BltParameterSets set : BltParameterSets.values()) {
      if (set.configName().startsWith("horizon")) {
        long n = set.horizon();
        double error = blt(set).sensitivity(n) * Math.sqrt(blt(set).prefixVariance(n));
        lines.add(row(
            "`" + set.configName() + "`",
            number(blt(set).sensitivity(n), 4),
            number(error, 4),
            over(error, SquareRoot.error(n)),
            over(error, LowerBound.error(n)),
            number(blt(set).sensitivityLimit(), 4)));
      }
    }
    return text(lines);
  }

  private static String anytime() {
    List<String> lines = new ArrayList<>();
    lines.add("### Endless stream: error of the prefix of t rounds, charged for ever");
    lines.add("");
    lines.add(octaves("set", octave -> "t = 2^" + octave));
    lines.add(octaves("---", octave -> "---:"));
    for (BltParameterSets set : BltParameterSets.values()) {
      double limit = blt(set).sensitivityLimit();
      lines.add(
          errors("`" + set.configName() + "`", t -> limit * Math.sqrt(blt(set).prefixVariance(t))));
    }
    lines.add(errors("`independent`", Math::sqrt));
    lines.add(errors("`binary-tree`, made for t", BltPage::tree));
    lines.add(errors("square root, made for t", SquareRoot::error));
    lines.add(errors("lower bound of any made for t", LowerBound::error));
    lines.add("");
    lines.add("The same over the square root made for t:");
    lines.add("");
    lines.add(octaves("set", octave -> "t = 2^" + octave));
    lines.add(octaves("---", octave -> "---:"));
    for (BltParameterSets set : BltParameterSets.values()) {
      if (set.anytime()) {
        double limit = blt(set).sensitivityLimit();
        lines.add(octaves(
            "`" + set.configName() + "`",
            octave -> over(
                limit * Math.sqrt(blt(set).prefixVariance(1L << octave)),
                SquareRoot.error(1L << octave))));
      }
    }
    return text(lines);
  }

  /**
   * The largest error of a tree up to t: that of t itself, or of all nodes below its highest one.
   */
  static double tree(long t) {
    PrefixMechanism tree = Mechanisms.BINARY_TREE.make();
    double variance =
        Math.max(tree.prefixVariance(t), tree.prefixVariance(Long.highestOneBit(t) - 1));
    return tree.sensitivity(t) * Math.sqrt(variance);
  }

  private static String felt() {
    List<String> lines = new ArrayList<>();
    lines.add("### Endless stream: noise that a learner feels over some rounds, charged for ever");
    lines.add("");
    lines.add("Of one participation, and of three that are 4 rounds apart:");
    lines.add("");
    lines.add(windows("set", (k, window) -> (k == 1 ? "" : "three, ") + number(window, 0)));
    lines.add(windows("---", (k, window) -> "---:"));
    for (BltParameterSets set : BltParameterSets.values()) {
      lines.add(windows("`" + set.configName() + "`", (k, window) -> {
        double charge = blt(set).sensitivityLimit(new ContributionBound(k, 4));
        return number(charge * Math.sqrt(FeltNoise.variance(set.parameters(), window)), 3);
      }));
    }
    return text(lines);
  }

  private static String windows(String name, BiFunction<Long, Long, String> cell) {
    return row(Stream.concat(
            Stream.of(name),
            Stream.of(1L, 3L)
                .flatMap(k -> LongStream.of(WINDOWS).mapToObj(window -> cell.apply(k, window))))
        .toArray(String[]::new));
  }

  private static String returners() {
    List<String> lines = new ArrayList<>();
    lines.add("### Returners: mu for ever of k rounds, 100 apart, over that of one");
    lines.add("");
    lines.add(row("mechanism", counts(k -> "k = " + k)));
    lines.add(row("---", counts(k -> "---:")));
    lines.add(returner("`independent`", Mechanisms.INDEPENDENT.make()));
    for (BltParameterSets set : BltParameterSets.values()) {
      lines.add(returner("`" + set.configName() + "`", blt(set)));
    }
    return text(lines);
  }

  private static String returner(String name, Mechanism mechanism) {
    return row(
        name,
        counts(k -> number(
            mechanism.sensitivityLimit(new ContributionBound(k, 100))
                / mechanism.sensitivityLimit(),
            2)));
  }

  private static String counts(LongFunction<String> cell) {
    return LongStream.of(PARTICIPATIONS).mapToObj(cell).collect(Collectors.joining(" | "));
  }

  private static String errors(String name, LongToDoubleFunction error) {
    return octaves(name, octave -> number(error.applyAsDouble(1L << octave), 3));
  }

  private static String octaves(String name, IntFunction<String> cell) {
    return row(Stream.concat(Stream.of(name), Arrays.stream(OCTAVES).mapToObj(cell))
        .toArray(String[]::new));
  }

  private static String row(String... cells) {
    return "| " + String.join(" | ", cells) + " |";
  }

  private static String over(double error, double yardstick) {
    return String.format(Locale.ROOT, "%+.2f %%", 100 * (error / yardstick - 1));
  }

  private static String number(double value, int digits) {
    return String.format(Locale.ROOT, "%,." + digits + "f", value);
  }

  private static String text(List<String> lines) {
    return String.join("\n", lines) + "\n";
  }
}
