package dev.sotto.learner.optimizer.resque.theory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.mechanism.ImportanceWeight;
import dev.sotto.learner.optimizer.resque.AbsoluteData;
import dev.sotto.learner.optimizer.resque.Pool;
import dev.sotto.testing.Seed;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Acceptance check 6. Seeds are fixed: a false alarm is impossible. */
class Check6ErmScheduleTest {
  private static void phase(ErmPhase phase, long steps, double step, double noise) {
    assertThat(phase.steps()).isEqualTo(steps);
    assertThat(phase.step()).isCloseTo(step, within(1e-4 * step));
    assertThat(phase.noise()).isCloseTo(noise, within(1e-4 * noise));
  }

  @Test
  void halvesTheStepsOfAPhase() {
    List<ErmPhase> phases = ErmPhase.of(new SolverSize(1000, 0.02, 1, 50), 0.01);
    assertThat(phases).hasSize(9);
    phase(phases.get(0), 256, 7.0711e-6, 3.5355e-4);
    phase(phases.get(1), 128, 1.7678e-6, 8.8388e-5);
    phase(phases.get(8), 1, 1.0790e-10, 5.3948e-9);
    assertThat(phases.stream().mapToLong(ErmPhase::steps).sum()).isEqualTo(511);
    assertThat(Math.sqrt(50) * phases.get(0).noise() / 0.01).isCloseTo(0.25, within(1e-12));
    assertThat(ErmPhase.of(new SolverSize(1, 0.02, 1, 50), 0.01)).isEmpty();
  }

  private static final int EXAMPLES = 5000;
  private static final int D = 10;
  private static final double RADIUS = 0.02;
  private static final double RHO = 0.4;

  private final double[][] features = new double[EXAMPLES][];
  private final double[] labels = new double[EXAMPLES];

  private void data() {
    Random random = Seed.random(21);
    for (int i = 0; i < EXAMPLES; i++) {
      features[i] = AbsoluteData.direction(random, D);
      labels[i] = 0.05 * random.nextGaussian();
      for (double each : features[i]) {
        labels[i] += 0.3 / Math.sqrt(D) * each;
      }
    }
  }

  /** E|m + rho Z| and its derivative. */
  private static double smoothed(double m) {
    double z = m / RHO;
    return RHO * Math.sqrt(2 / Math.PI) * Math.exp(-z * z / 2) + m * derivative(m);
  }

  /** 2 Phi(m / rho) - 1, by Simpson's rule. */
  private static double derivative(double m) {
    double z = m / RHO;
    int n = 20;
    double sum = 0;
    for (int i = 0; i <= n; i++) {
      double at = z * i / n;
      sum += Math.exp(-at * at / 2) * (i == 0 || i == n ? 1 : i % 2 == 1 ? 4 : 2);
    }
    return 2 * sum * z / n / 3 / Math.sqrt(2 * Math.PI);
  }

  private double loss(double[] x) {
    double sum = 0;
    for (int i = 0; i < EXAMPLES; i++) {
      sum += smoothed(AbsoluteData.dot(features[i], x) - labels[i]);
    }
    return sum / EXAMPLES;
  }

  /** The least convolved loss in the ball, by projected descent on a smooth function. */
  private double least() {
    double[] x = new double[D];
    for (int step = 0; step < 200; step++) {
      double[] gradient = new double[D];
      for (int i = 0; i < EXAMPLES; i++) {
        double slope = derivative(AbsoluteData.dot(features[i], x) - labels[i]) / EXAMPLES;
        for (int j = 0; j < D; j++) {
          gradient[j] += slope * features[i][j];
        }
      }
      for (int j = 0; j < D; j++) {
        x[j] -= 2 * gradient[j];
      }
      double norm = Math.sqrt(AbsoluteData.dot(x, x));
      for (int j = 0; j < D; j++) {
        x[j] *= Math.min(1, RADIUS / norm);
      }
    }
    return loss(x);
  }

  private double[] run(Random random, int[] touches) {
    SolverSize size = new SolverSize(4096, 0.5, 1, D);
    double[] x = new double[D];
    double[] normals = new double[D];
    for (ErmPhase phase : ErmPhase.of(size, RADIUS)) {
      double[][] xi = new double[(int) phase.steps()][D];
      int[] drawn = new int[(int) phase.steps()];
      for (int j = 0; j < drawn.length; j++) {
        drawn[j] = random.nextInt(EXAMPLES);
        touches[drawn[j]]++;
        for (int i = 0; i < D; i++) {
          xi[j][i] = RHO * random.nextGaussian();
        }
      }
      Pool pool = (entry, offset, factor, into) -> {
        double[] a = features[drawn[entry]];
        double slope = Math.signum(AbsoluteData.dot(a, xi[entry]) - labels[drawn[entry]]);
        double weight = ImportanceWeight.of(offset, xi[entry], RHO);
        for (int i = 0; i < D; i++) {
          into[i] += factor * weight * slope * a[i];
        }
      };
      phase.average(pool, 0, 0, RADIUS, x);
      for (int i = 0; i < D; i++) {
        normals[i] = random.nextGaussian();
      }
      phase.publish(x, normals, RADIUS);
      assertThat(Math.sqrt(AbsoluteData.dot(x, x))).isLessThanOrEqualTo(RADIUS * (1 + 1e-12));
    }
    return x;
  }

  @Test
  void comesAsNearAsThePageSays() {
    data();
    double least = least();
    double atCenter = loss(new double[D]) - least;
    assertThat(atCenter).isCloseTo(1.13e-3, within(7e-5)); // another generator's data
    assertThat(ErmPhase.gap(new SolverSize(4096, 0.5, 1, D), RADIUS))
        .isCloseTo(5.5e-3, within(5e-5));
    double sum = 0;
    int most = 0;
    for (int run = 0; run < 20; run++) {
      int[] touches = new int[EXAMPLES];
      sum += loss(run(Seed.random(run), touches)) - least;
      for (int each : touches) {
        most = Math.max(most, each);
      }
    }
    // Over 40 other seeds 0.731 with a standard deviation of 0.0101.
    assertThat(sum / 20 / atCenter).isCloseTo(8.26e-4 / 1.13e-3, within(0.055));
    assertThat(most).isBetween(5, (int) new Multiplicity(EXAMPLES, 4095).quantile(1e-8));
  }
}
