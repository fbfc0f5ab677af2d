package dev.sotto.learner.release;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.mechanism.GradientNorm;
import dev.sotto.learner.mechanism.Mechanisms;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/**
 * An attack on the pure epsilon of Laplace noise: rounds with and without one record whose gradient
 * is spread over all coordinates, and the event that every coordinate lies beyond it, whose odds
 * change by e^epsilon.
 */
class LaplaceAuditTest {
  private static final int DIMENSION = 4;
  private static final int ROUNDS = 20_000;
  private static final double SCALE = 1;

  /**
   * Log-odds of two binomials of 20 000, with 1/16 and e^-1/16 of them expected: skewed little, so
   * that six standard errors are left less than once in 1e6 runs, for each assertion.
   */
  private static final double ERRORS = 6;

  private record Measured(double epsilon, double error) {}

  /** How often the event happens in so many rounds of one run. */
  private static int events(Lattice lattice, NoiseKey key, double scale, boolean present) {
    double[] mean = new double[DIMENSION];
    double[] before = new double[DIMENSION];
    double[] gradient = new double[DIMENSION];
    Arrays.fill(gradient, 10);
    ClippedSum clipped = new ClippedSum(lattice);
    clipped.add(gradient);
    double[] edge = clipped.sum.clone();
    // A lattice of l1 sums around whatever was clipped: the twin's sums can be released, too.
    Lattice released = new Lattice(lattice.unit(), 4, DIMENSION, 1, GradientNorm.L1);
    Releaser releaser = Releaser.start(
        released, Mechanisms.LAPLACE.make(), scale, key, new byte[16], new byte[32], mean);
    ClippedSum sum = new ClippedSum(released);
    int events = 0;
    for (int round = 0; round < ROUNDS; round++) {
      sum.restore(present ? edge : new double[DIMENSION], 1);
      releaser.release(sum, before, new byte[16], 0).mean(mean);
      boolean beyond = true;
      for (int i = 0; i < DIMENSION; i++) {
        beyond &= mean[i] - before[i] >= edge[i] - lattice.unit() / 2;
        before[i] = mean[i];
      }
      events += beyond ? 1 : 0;
    }
    return events;
  }

  private static Measured measure(GradientNorm clippedIn, double scale) {
    Lattice lattice = Lattice.fit(1, SCALE, DIMENSION, 1, clippedIn);
    byte[] other = new byte[32];
    other[0] = 1;
    double with = events(lattice, NoiseKey.of(new byte[32]), scale, true);
    double without = events(lattice, NoiseKey.of(other), scale, false);
    double error = Math.sqrt((1 - with / ROUNDS) / with + (1 - without / ROUNDS) / without);
    return new Measured(Math.log(with / without), error);
  }

  @Test
  void changesNoOddsByMoreThanTheEpsilonOfTheLedger() {
    double stated = 1 / SCALE;
    Measured measured = measure(GradientNorm.L1, SCALE);
    assertThat(measured.epsilon()).isLessThan(stated + ERRORS * measured.error());
    // And the attack has power.
    assertThat(measured.epsilon()).isGreaterThan(0.98 * stated - ERRORS * measured.error());
  }

  /** The broken twins: half the noise, and a clip in l2, which lets an l1 norm of 2 pass. */
  @Test
  void wouldCatchHalfTheNoiseAndAClipInAnotherNorm() {
    Measured halved = measure(GradientNorm.L1, SCALE / 2);
    assertThat(halved.epsilon()).isGreaterThan(1 / SCALE + ERRORS * halved.error());
    Measured wrong = measure(GradientNorm.L2, SCALE);
    assertThat(wrong.epsilon()).isGreaterThan(1 / SCALE + ERRORS * wrong.error());
  }
}
