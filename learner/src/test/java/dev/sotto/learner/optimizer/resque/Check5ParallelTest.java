package dev.sotto.learner.optimizer.resque;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.mechanism.ImportanceWeight;
import dev.sotto.learner.optimizer.resque.theory.BallSizing;
import dev.sotto.testing.Seed;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Acceptance check 5, the sanity of the ball solvers, and the coefficients of AC-SA. Seeds are
 * fixed: a false alarm is impossible.
 */
class Check5ParallelTest {
  private static void near(double value, double expected) {
    assertThat(value).isCloseTo(expected, within(2e-4 * expected));
  }

  @Test
  void sizesBallAcceleration() {
    BallSizing sizing = BallSizing.parallel(1, 1, 50, 1000);
    near(sizing.radius(), 6.3246e-4);
    near(sizing.scale(), 135.72);
    near(sizing.plainLambda(), 368.4);
    near(sizing.lambda(), 5638);
    near(sizing.mostLambda(), 2 * 1581.1);
    assertThat(sizing.isDegenerate()).isTrue();
    // From these accuracies on it is not.
    double[][] thresholds = {{10, 365}, {100, 1.1e3}, {1000, 2.8e3}, {1e4, 6.9e3}};
    for (double[] each : thresholds) {
      assertThat(BallSizing.parallel(1, 1, each[1] * 1.06, each[0]).isDegenerate())
          .isFalse();
      assertThat(BallSizing.parallel(1, 1, each[1] * 0.94, each[0]).isDegenerate())
          .isTrue();
    }
    // Finer calls are made in fewer iterations.
    double calls = Double.POSITIVE_INFINITY;
    double accuracy = 2;
    for (BallSizing.Calls each : sizing.calls()) {
      assertThat(each.calls()).isLessThan(calls);
      assertThat(each.accuracy()).isLessThan(accuracy);
      calls = each.calls();
      accuracy = each.accuracy();
    }
  }

  /** T of EpochSGD: entries with which the expected gap is at most phi (Proposition 3). */
  private static long entries(double lipschitz, double lambda, double phi) {
    return (long) Math.ceil(48 * lipschitz * lipschitz / (lambda * phi) * (1 - 1e-12));
  }

  /** How many of some entries EpochSGD uses. */
  private static long used(long entries) {
    long used = 0;
    long begun = 0;
    for (long epoch = EpochSgd.FIRST; begun + epoch <= entries; epoch *= 2) {
      begun += epoch;
      used += epoch - 1;
    }
    return used;
  }

  /** The lengths of AC-SA with which the expected gap is at most phi (Proposition 4). */
  private static AcSaSizing sizing(BallProblem problem, double phi) {
    int steps = AcSaSizing.steps(problem);
    double range = problem.lambda() * problem.radius() * problem.radius() / phi;
    int epochs = (int) Math.max(1, Math.ceil(StrictMath.log(range) / StrictMath.log(2) - 1e-9));
    double ratio = problem.lipschitz() / (problem.lambda() * problem.radius());
    int[] batches = new int[epochs];
    for (int k = 1; k <= epochs; k++) {
      double needed = 48 * StrictMath.pow(2, k) * ratio * ratio / steps;
      batches[k - 1] = (int) Math.ceil(needed * (1 - 1e-12));
    }
    return new AcSaSizing(steps, batches);
  }

  @Test
  void sizesTheSolvers() {
    assertThat(entries(1, 100, 1e-3)).isEqualTo(480);
    assertThat(used(480)).isEqualTo(236);
    assertThat(used(15)).isZero();
    BallProblem problem = new BallProblem(1, 0.01, 0.01, 200);
    AcSaSizing sizing = sizing(problem, 200 * 1e-4 / 64);
    assertThat(sizing.steps()).isEqualTo(5);
    assertThat(sizing.batches()).containsExactly(5, 10, 20, 39, 77, 154);
    assertThat(sizing.entries()).isEqualTo(1525);
    for (int entries : new int[] {1, 7, 64, 1525, 100_000}) {
      assertThat(AcSaSizing.fit(problem, entries).entries()).isBetween(1L, (long) entries);
    }
  }

  @Test
  void givesCoefficientsThatSumToOne() {
    BallProblem problem = new BallProblem(3, 0.5, 0.4, 2);
    for (int t = 1; t < 50; t++) {
      AcSa.Coefficients c = AcSa.Coefficients.of(problem, t);
      assertThat(c.ofAverage() + c.ofPoint()).isCloseTo(1, within(1e-14));
    }
    AcSa.Coefficients c = AcSa.Coefficients.of(2, 3, 0.5);
    assertThat(c.ofAverage() + c.ofPoint()).isCloseTo(1, within(1e-15));
    // With gamma scaled by 1 - alpha too in the second one, they would not.
    double wrong = 0.5 * (0.5 * 2 + 0.5 * 3) / (3 + 0.75 * 2);
    assertThat(c.ofAverage() + wrong).isCloseTo(0.833, within(0.001));
  }

  /** |<a, x> - 0.05| at perturbations of the origin. */
  private static Pool kink(double[] a, double rho, int entries, long seed) {
    int d = a.length;
    RandomGenerator random = Seed.splittable(seed);
    double[][] xi = new double[entries][d];
    double[] slopes = new double[entries];
    for (int m = 0; m < entries; m++) {
      double score = -0.05;
      for (int i = 0; i < d; i++) {
        xi[m][i] = rho * random.nextGaussian();
        score += a[i] * xi[m][i];
      }
      slopes[m] = Math.signum(score);
    }
    boolean[] used = new boolean[entries];
    return (entry, offset, factor, into) -> {
      if (used[entry]) {
        throw new AssertionError("entry " + entry + " is used twice");
      }
      used[entry] = true;
      double weight = ImportanceWeight.of(offset, xi[entry], rho);
      for (int i = 0; i < d; i++) {
        into[i] += factor * weight * slopes[entry] * a[i];
      }
    };
  }

  /** The regularised convolved loss: E|m + s Z| for a Gaussian, by the trapezoid rule. */
  private static double value(double[] a, double rho, double lambda, double[] x) {
    double mean = AbsoluteData.dot(a, x) - 0.05;
    double sum = 0;
    for (double z = -12; z < 12; z += 1e-3) {
      sum += 1e-3 * Math.abs(mean + rho * z) * Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI);
    }
    return sum + lambda / 2 * AbsoluteData.dot(x, x);
  }

  private static double gap(BallSolver solver, int entries) {
    double[] a = {1, -2, 0.5, 0, 1.5};
    double norm = Math.sqrt(AbsoluteData.dot(a, a));
    for (int i = 0; i < 5; i++) {
      a[i] /= norm;
    }
    double sum = 0;
    for (int seed = 0; seed < 5; seed++) {
      double[] x = new double[5];
      solver.solve(kink(a, 0.1, entries, seed), 0, entries, x);
      assertThat(Math.sqrt(AbsoluteData.dot(x, x))).isLessThanOrEqualTo(0.1 * (1 + 1e-12));
      sum += value(a, 0.1, 2, x) - 0.081787;
    }
    return sum / 5;
  }

  @Test
  void solvesABallProblem() {
    BallProblem problem = new BallProblem(1, 0.1, 0.1, 2);
    int entries = (int) entries(1, 2, 1e-3);
    assertThat(entries).isEqualTo(24_000);
    AcSaSizing sizing = sizing(problem, 1e-3);
    assertThat(sizing.steps()).isEqualTo(10);
    assertThat(sizing.batches()).hasSize(5);
    assertThat(sizing.entries()).isEqualTo(74_400);
    assertThat(gap(new EpochSgd(2, 0.1), entries)).isBetween(-1e-6, 1e-4);
    assertThat(gap(new AcSa(problem, sizing), 74_400)).isBetween(-1e-6, 1e-4);
    assertThat(gap(new WeightedSgd(2, 0.1), entries)).isBetween(-1e-6, 1e-4);
    // With fewer than 16 entries the answer is the centre, whose gap is larger.
    assertThat(gap(new EpochSgd(2, 0.1), 15)).isCloseTo(7.77e-3, within(2e-5));
    // Most of a pool's use is in its later entries, not in the first two.
    assertThat(gap(new WeightedSgd(2, 0.1), 2)).isGreaterThan(1e-3);
  }
}
