package dev.sotto.learner.optimizer.resque.theory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.mechanism.ImportanceWeight;
import dev.sotto.learner.mechanism.Stability;
import dev.sotto.learner.optimizer.resque.AbsoluteData;
import dev.sotto.learner.optimizer.resque.Pool;
import dev.sotto.testing.Seed;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Acceptance check 13 and the table of Form O. Seeds are fixed: a false alarm is impossible. */
class Check13StabilityTest {
  @Test
  void givesTheTableOfConstants() {
    double[] ratios = {10, 20, 50};
    double[][] once = {{4.04, 5.05, 6.27}, {2.95, 3.34, 3.77}, {2.41, 2.56, 2.71}};
    double[][] twice = {{5.01, 6.92, 9.22}, {3.43, 4.08, 4.85}, {2.62, 2.86, 3.12}};
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++) {
        double delta = Math.pow(10, -6 - 3 * j);
        assertThat(worst(ratios[i], 1, delta)).isBetween(0.985 * once[i][j], once[i][j] + 0.006);
        assertThat(worst(ratios[i], 2, delta)).isBetween(0.985 * twice[i][j], twice[i][j] + 0.006);
      }
    }
    double first = Stability.constant(1.0 / 256 * 0.01 / 0.2, 1.0 / 20, 2048, 2.8e-8);
    assertThat(first).isCloseTo(3.00, within(0.015));
  }

  /** The minimum over more orders than the table took, in calls of 16 and of 2^15 queries. */
  private static double worst(double ratio, double reach, double delta) {
    double worst = 0;
    for (long queries = 16; queries <= 1 << 15; queries *= 1 << 11) {
      worst = Math.max(worst, ofCall(queries, ratio, reach, delta));
    }
    return worst;
  }

  /**
   * The largest c over the phases of a call of Algorithm 3 or 4, where {@code 1 / sqrt(T)} is what
   * limits their steps.
   *
   * @param queries T of the call
   * @param ratio rho / r, at least 1
   * @param reach r' / r
   * @param delta of each phase
   */
  private static double ofCall(long queries, double ratio, double reach, double delta) {
    double worst = 0;
    double a = reach / (ratio * Math.sqrt(queries));
    for (long steps = Long.highestOneBit(queries) / 2; steps >= 1; steps /= 2) {
      a /= 4;
      worst = Math.max(worst, Stability.constant(a, 1 / ratio, steps, delta));
    }
    return worst;
  }

  /** The largest distances of last points and of averages in a phase, over b eta L. */
  private static double[] largest(double rho) {
    int d = 20;
    int n = 200;
    double radius = 0.01;
    int steps = 512;
    double eta = radius / (4 * Math.sqrt(1024));
    Random random = Seed.random(7);
    double last = 0;
    double average = 0;
    for (int run = 0; run < 200; run++) {
      double[][] features = new double[n][];
      double[] labels = new double[n];
      for (int i = 0; i < n; i++) {
        features[i] = AbsoluteData.direction(random, d);
        labels[i] = 0.1 * random.nextGaussian();
      }
      int[] drawn = new int[steps];
      double[][] xi = new double[steps][d];
      for (int j = 0; j < steps; j++) {
        drawn[j] = 1 + random.nextInt(n - 1);
        for (int i = 0; i < d; i++) {
          xi[j][i] = rho * random.nextGaussian();
        }
      }
      for (int hit = 0; hit < 3; ) {
        int j = random.nextInt(steps);
        hit += drawn[j] == 0 ? 0 : 1;
        drawn[j] = 0;
      }
      // Both runs: the one whose slot 0 has the opposite gradient comes second.
      double[][] means = new double[2][d];
      double[][] ends = new double[2][d];
      for (int side = 0; side < 2; side++) {
        double sign = side == 0 ? 1 : -1;
        double[] end = ends[side];
        Pool pool = (entry, offset, factor, into) -> {
          double[] a = features[drawn[entry]];
          double slope = Math.signum(AbsoluteData.dot(a, xi[entry]) - labels[drawn[entry]]);
          double weight = ImportanceWeight.of(offset, xi[entry], rho);
          weight *= drawn[entry] == 0 ? sign : 1;
          for (int i = 0; i < d; i++) {
            into[i] += factor * weight * slope * a[i];
          }
          if (entry == steps - 1) {
            System.arraycopy(into, 0, end, 0, d);
          }
        };
        new ErmPhase(steps, eta, 0).average(pool, 0, 0, radius, means[side]);
      }
      last = Math.max(last, distance(ends[0], ends[1]) / (3 * eta));
      average = Math.max(average, distance(means[0], means[1]) / (3 * eta));
    }
    return new double[] {last, average};
  }

  private static double distance(double[] a, double[] b) {
    double square = 0;
    for (int i = 0; i < a.length; i++) {
      square += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return Math.sqrt(square);
  }

  @Test
  void boundsHowFarTwoRunsPart() {
    double bound = Stability.constant(1.0 / 256 * 0.01 / 0.2, 1.0 / 20, 2048, 2.8e-8);
    double[] wide = largest(0.2);
    assertThat(wide[0]).isCloseTo(2.03, within(0.15)).isLessThan(bound);
    assertThat(wide[1]).isCloseTo(1.69, within(0.2)).isLessThan(bound);
    // Where the perturbations are smaller than the ball, weights vary and runs part further.
    assertThat(largest(0.01 / 3)[0]).isGreaterThan(bound);
  }
}
