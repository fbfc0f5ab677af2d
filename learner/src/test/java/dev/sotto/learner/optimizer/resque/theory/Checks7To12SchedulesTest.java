package dev.sotto.learner.optimizer.resque.theory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Acceptance checks 7, 8, 11 and 12. Seeds are fixed: a false alarm is impossible. */
class Checks7To12SchedulesTest {
  private static void near(double value, double expected) {
    near(value, expected, 5e-4);
  }

  private static void near(double value, double expected, double relative) {
    assertThat(value).isCloseTo(expected, within(relative * expected));
  }

  @Test
  void check7Restarts() {
    SolverSize size = new SolverSize(4096, 0.01, 2, 10);
    RestartSchedule schedule = RestartSchedule.of(size, 3, 0.1);
    assertThat(schedule.calls().stream()
            .map(each -> each.size().queries())
            .collect(Collectors.toList()))
        .containsExactly(256L, 512L, 1024L, 2048L);
    assertThat(schedule.queries()).isEqualTo(3840);
    double[] betas = {0.04, 0.02828, 0.02, 0.01414};
    double cost = 0;
    double last = Double.POSITIVE_INFINITY;
    for (int i = 0; i < 4; i++) {
      RestartSchedule.Call call = schedule.calls().get(i);
      near(call.size().beta(), betas[i]);
      cost += Math.pow(call.size().beta() * call.size().queries(), 2);
      assertThat(call.distance()).isBetween(0.0, 0.2).isLessThanOrEqualTo(last);
      last = call.distance();
    }
    near(cost / Math.pow(0.01 * 4096, 2), 0.9375);
    near(RestartSchedule.largestBetaRatio(4096), 4);
    // k = ceil(log2 log2 T)
    assertThat(RestartSchedule.restarts(2)).isZero();
    assertThat(RestartSchedule.restarts(3)).isEqualTo(1);
    assertThat(RestartSchedule.restarts(4)).isEqualTo(1);
    assertThat(RestartSchedule.restarts(16)).isEqualTo(2);
    assertThat(RestartSchedule.restarts(17)).isEqualTo(3);
    assertThat(RestartSchedule.restarts(65536)).isEqualTo(4);
    assertThat(RestartSchedule.restarts(65537)).isEqualTo(5);
    assertThat(RestartSchedule.restarts(Long.MAX_VALUE)).isEqualTo(6);
    // The distances obey D_0 = 2 L^2 / lambda and D_(i+1) = sqrt(D_i E_i), where r is wide.
    RestartSchedule wide = RestartSchedule.of(size, 3, 1e9);
    double gap = 2 * 2 * 2 / 3.0;
    for (RestartSchedule.Call call : wide.calls()) {
      near(call.distance(), Math.sqrt(2 * gap / 3), 1e-9);
      double error = 2 * 16 * 16 * 2 * 2 / 3.0 * Math.pow(call.size().error(), 2);
      gap = Math.sqrt(gap * error);
    }
  }

  @Test
  void check7Levels() {
    MultilevelSchedule schedule = MultilevelSchedule.of(1_000_000, 1000);
    assertThat(schedule.most()).isEqualTo(4);
    near(schedule.expectedQueries(), 7000);
    near(schedule.loops() * schedule.expectedQueries(), 28_000);
    near(schedule.queriesOf(4), 25_000);
    near(schedule.queriesOf(5), 1000);
    assertThatIllegalArgumentException().isThrownBy(() -> MultilevelSchedule.of(1_000_000, 9000));
    int[] levels = schedule.draw(3, 100, 4000);
    assertThat(levels).hasSize(400).isEqualTo(schedule.draw(3, 100, 4000));
    double cost = 0;
    for (int level : levels) {
      cost += schedule.costOf(level);
    }
    assertThat(cost).isLessThanOrEqualTo(4000);
    // Far below the mean of 2,800 no draw is found.
    assertThatIllegalArgumentException().isThrownBy(() -> schedule.draw(3, 100, 500));
  }

  /** The mean of {@code x_0 + 2^J (f(J) - f(J - 1))} for answers f(j) = 1 - 2^-j. */
  private static double multilevelMean(int least) {
    MultilevelSchedule schedule = new MultilevelSchedule(1, 4);
    int[] levels = schedule.draw(11, 50_000, 1e9);
    double sum = 0;
    for (int drawn : levels) {
      int level = drawn - 1 + least;
      double[] x = {0}; // f(0)
      if (level <= 4 && level > 0) {
        MultilevelSchedule.combine(
            level,
            new double[] {1 - Math.pow(2, -level)},
            new double[] {1 - Math.pow(2, 1 - level)},
            x);
      }
      sum += x[0];
    }
    return sum / levels.length;
  }

  @Test
  void check7LevelsRemoveTheBias() {
    // Of variance below 1 each: 200,000 loops.
    assertThat(multilevelMean(1)).isCloseTo(1 - Math.pow(2, -4), within(0.005));
    // A geometric distribution that starts at 0 leaves half of it.
    assertThat(multilevelMean(0)).isCloseTo(0.5, within(0.05));
    int[] counts = new int[4];
    for (int level : new MultilevelSchedule(1, 4).draw(12, 50_000, 1e9)) {
      assertThat(level).isGreaterThanOrEqualTo(1);
      counts[Math.min(3, level)]++;
    }
    assertThat(counts[0]).isZero();
    near(counts[1], 100_000, 0.02);
    near(counts[2], 50_000, 0.02);
    near(counts[3], 50_000, 0.02);
  }

  @Test
  void check7Repeats() {
    assertThat(Aggregate.repeats(1e-3)).isEqualTo(139);
    double divergence = 0.51 * Math.log(0.51 / (2 / 3.0)) + 0.49 * Math.log(0.49 * 3);
    near(20 * divergence, 1.043);
    SolverSize size = new SolverSize(100, 0.5, 2, 4);
    near(Aggregate.delta(size, 3), 9 * Math.sqrt(2 * 8192) * 2 / 3 * Math.sqrt(4 / 2500.0 + 0.01));
  }

  @Test
  void check8Multiplicity() {
    Multiplicity dense = new Multiplicity(60_000, 511);
    near(dense.hit(), 0.0084806, 1e-5);
    assertThat(dense.quantile(1e-6)).isEqualTo(2);
    near(dense.tail(2), 1.02e-7, 5e-3);
    near(Multiplicity.printed(1e-6), 29.02);
    Multiplicity sparse = new Multiplicity(1_000_000, 511);
    near(sparse.hit(), 5.1087e-4, 1e-5);
    assertThat(sparse.quantile(1e-6)).isEqualTo(1);
    assertThat(sparse.tail(1)).isLessThanOrEqualTo(1e-6);
    assertThat(sparse.tail(0)).isGreaterThan(1e-6).isCloseTo(sparse.hit(), within(1e-11));
    // Against the sum of all terms.
    Multiplicity small = new Multiplicity(3, 5);
    double[] tails = {1 - 32 / 243.0, 1 - 112 / 243.0, 51 / 243.0, 11 / 243.0, 1 / 243.0, 0};
    for (int b = 0; b < 6; b++) {
      assertThat(small.tail(b)).isCloseTo(tails[b], within(1e-8)).isGreaterThanOrEqualTo(tails[b]);
    }
  }

  @Test
  void check11LocalizationSplit() {
    double all = LocalizationSplit.queries(1e9, 1e5, 1);
    near(all, 3.154e9);
    near(LocalizationSplit.queriesOfParts(1e9, 1e5, 1, true) / all, 6.77, 2e-3);
    near(LocalizationSplit.queriesOfParts(1e9, 1e5, 1, false) / all, 1.48, 4e-3);
    double large = LocalizationSplit.queries(1e12, 1e7, 1);
    near(LocalizationSplit.queriesOfParts(1e12, 1e7, 1, true) / large, 11.4, 5e-3);
    near(LocalizationSplit.queriesOfParts(1e12, 1e7, 1, false) / large, 1.58, 4e-3);
    List<LocalizationSplit> parts = LocalizationSplit.of(1000, 2, 0.001);
    assertThat(parts.stream().map(LocalizationSplit::slots).collect(Collectors.toList()))
        .containsExactly(500L, 250L, 125L, 62L, 31L, 15L, 7L, 3L, 1L);
    near(parts.get(0).step(), 2 * 0.001 / 4, 1e-12);
    near(parts.get(1).lambda(), 16 / (0.002 * 250), 1e-12);
  }

  @Test
  void check12FloorOfPrintedConstants() {
    near(TheoremRegime.printedRatio(1000, 1e-6), 4.286e5);
    TheoremFloor.Target target = new TheoremFloor.Target(10, 10, 1, 1e-6);
    // The page's numbers take log(2 / delta) for log(log T / delta) in the ratio.
    TheoremFloor floor = new TheoremFloor(1, 1, 1, 1, 1);
    for (int i = 0; i < 50; i++) {
      double delta = target.deltaOfCall(floor.calls());
      double log = Math.log(2 / delta);
      floor = TheoremFloor.of(target, 1728 * log * log, TheoremRegime.printedCost(delta));
    }
    near(floor.scale(), 1.345e5);
    near(floor.beta(), 9.8e-5, 5e-3);
    near(floor.queries(), 7.4e4, 7e-3);
    near(floor.slots(), 4.39e8, 2e-3);
    near(floor.allQueries(), 2.3e10, 5e-3);
    // As Lemma 5 prints it, n is not smaller.
    TheoremFloor printed = TheoremFloor.printed(target);
    assertThat(printed.slots()).isBetween(floor.slots(), 1.1 * floor.slots());
    assertThat(printed.scale()).isGreaterThan(floor.scale());
    double cost = TheoremRegime.sharpenedCost(3, 3);
    TheoremFloor sharpened = TheoremFloor.of(target, 20, cost);
    near(sharpened.scale(), 73.7);
    near(sharpened.beta(), 0.0357, 2e-3);
    near(sharpened.queries(), 9.7e3, 6e-3);
    near(sharpened.slots(), 1.2e6, 3e-3);
    TheoremFloor wide = TheoremFloor.of(new TheoremFloor.Target(10, 100, 1, 1e-6), 20, cost);
    near(wide.slots(), 3.8e6, 3e-3);
  }

  @Test
  void saysWithNumbersWhyATheoremDoesNotApply() {
    TheoremRegime inside = new TheoremRegime(1_000_000_000_000L, 64, 1e-6, 50, 1e-6, 5e5);
    assertThat(inside.printedReasons()).isEmpty();
    TheoremRegime small = new TheoremRegime(20_000, 1000, 0.02, 58, 1e-6, 20);
    assertThat(small.printedReasons())
        .hasSize(5)
        .element(0)
        .isEqualTo("T / n is 1000 / 20000 = 0.05000, but must be at most 1/60: n must be at least"
            + " 60000.");
    assertThat(small.printedReasons().get(4)).startsWith("rho / r is 20.00, but must be at least");
    assertThat(small.sharpenedReasons(3)).hasSize(3);
    TheoremRegime larger = new TheoremRegime(10_000_000, 1000, 0.003, 58, 1e-6, 20);
    assertThat(larger.sharpenedReasons(3)).isEmpty();
    assertThat(larger.printedReasons()).hasSize(3);
    assertThat(new TheoremRegime(100, 1, 0.1, 2, 0.1, 1).printedReasons())
        .singleElement()
        .isEqualTo("T is 1, but a call makes no step with less than 2 queries.");
    // At the first restart's beta, four times as large, and not at that of the call.
    double edge = Math.sqrt(1 / (3 * TheoremRegime.sharpenedCost(3, 1)));
    TheoremRegime atEdge = new TheoremRegime(10_000_000, 4096, edge / 4.01, 1.01, 1e-3, 20);
    assertThat(atEdge.sharpenedReasons(3)).noneMatch(each -> each.startsWith("tau_0"));
    TheoremRegime beyond = new TheoremRegime(10_000_000, 4096, edge / 3.99, 1.01, 1e-3, 20);
    assertThat(beyond.sharpenedReasons(3)).anyMatch(each -> each.startsWith("tau_0"));
  }
}
