package dev.sotto.learner.optimizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.loss.Logistic;
import dev.sotto.learner.loss.StepScale;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.PrefixMechanism;
import dev.sotto.learner.release.ClippedSum;
import dev.sotto.learner.release.Lattice;
import dev.sotto.learner.release.NoisySum;
import dev.sotto.learner.release.Releaser;
import dev.sotto.testing.Seed;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Steps beyond the worst curvature. Keys and streams are fixed, so nothing here depends on chance. */
class StepRaiseTest {
  private static final StepScale LOGISTIC = new Logistic().stepScale(1).orElseThrow();
  private static final int BATCH = 256;
  private static final double SIGMA = 1;

  /** A row of norm 1, by its coordinates of equal value, and its label. */
  private record Row(int[] active, double label) {}

  private interface Stream {
    Row row(int round, int place);
  }

  private static StepSize.NoiseAware steps(double curvature, boolean raises) {
    StepScale scale = new StepScale(1, LOGISTIC.noise(), curvature);
    return new StepSize.NoiseAware(Mechanisms.BLT.make(), SIGMA, BATCH, scale, true, raises);
  }

  /** The mean loss of every round under the weights before it. */
  private static double[] losses(StepSize steps, int dimension, int rounds, Stream stream) {
    PrivateFtrl ftrl = new PrivateFtrl(new EuclideanBall(null, Double.POSITIVE_INFINITY), steps);
    PrefixMechanism mechanism = Mechanisms.BLT.make();
    OptimizerState state = ftrl.start(dimension);
    double[] weights = state.weights();
    Lattice lattice = new Lattice(0x1p-30, 1, dimension, BATCH);
    Releaser releaser = Releaser.start(
        lattice, mechanism, SIGMA, NoiseKey.of(new byte[32]), new byte[16], new byte[32], weights);
    ClippedSum sum = new ClippedSum(lattice);
    Logistic loss = new Logistic();
    double[] losses = new double[rounds];
    double[] gradient = new double[dimension];
    for (int t = 0; t < rounds; t++) {
      for (int i = 0; i < BATCH; i++) {
        Row row = stream.row(t, i);
        double value = 1 / Math.sqrt(row.active().length);
        double score = 0;
        for (int each : row.active()) {
          score += value * weights[each];
        }
        losses[t] += loss.value(score, row.label()) / BATCH;
        Arrays.fill(gradient, 0);
        for (int each : row.active()) {
          gradient[each] = value * loss.slope(score, row.label());
        }
        sum.add(gradient);
      }
      state.tell(releaser.release(sum, weights, new byte[16], 0));
    }
    return losses;
  }

  /** All rows equal: the worst curvature is the true one. The share of ones is 0.95, 0.5, 0.05. */
  private static double[] equalRows(StepSize steps) {
    int[] active = {0, 1, 2, 3};
    double[] shares = {0.95, 0.5, 0.05};
    return losses(
        steps,
        active.length,
        60,
        (round, place) -> new Row(active, place < shares[round / 20] * BATCH ? 1 : 0));
  }

  private static double entropy(double share) {
    return -share * Math.log(share) - (1 - share) * Math.log(1 - share);
  }

  @Test
  void doesNotDivergeWhereAllRowsAreEqual() {
    double[] losses = equalRows(steps(0.25, true));
    double[] held = equalRows(steps(0.25, false));
    for (int t = 0; t < 60; t++) {
      assertThat(losses[t]).as("round %d", t).isLessThan(held[t] + 1.5);
    }
    assertThat(mean(losses, 30, 40)).isLessThan(entropy(0.5) + 0.05);
    assertThat(mean(losses, 50, 60)).isLessThan(entropy(0.05) + 0.05);
  }

  /** What that is worth: the highest factor from the start, and for good. */
  @Test
  void wouldDivergeIfNothingHeldIt() {
    double[] losses = equalRows(steps(0.25 / StepRaise.HIGHEST, false));
    assertThat(mean(losses, 30, 40)).isGreaterThan(entropy(0.5) + 0.5);
  }

  private static double mean(double[] losses, int from, int to) {
    return Arrays.stream(losses, from, to).average().orElseThrow();
  }

  @Test
  void learnsFasterFromSparseRows() {
    double raised = mean(sparse(steps(0.25, true)), 0, 60);
    double held = mean(sparse(steps(0.25, false)), 0, 60);
    assertThat(raised).isLessThan(held - 0.01);
  }

  /** 16 fields of 32 values each, all equally frequent. */
  private static double[] sparse(StepSize steps) {
    Random random = Seed.random(5);
    double[] truth = random.doubles(16 * 32).map(each -> 12 * (each - 0.5)).toArray();
    return losses(steps, truth.length, 60, (round, place) -> {
      int[] active = new int[16];
      double score = 0;
      for (int field = 0; field < active.length; field++) {
        active[field] = 32 * field + random.nextInt(32);
        score += truth[active[field]] / 4;
      }
      return new Row(active, random.nextDouble() < 1 / (1 + Math.exp(-score)) ? 1 : 0);
    });
  }

  @Test
  void isPartOfTheFingerprintWhereItMatters() {
    assertThat(steps(0.25, true).describe()).isNotEqualTo(steps(0.25, false).describe());
    // The noise holds the steps from the first round on: nothing to raise.
    StepScale little = new StepScale(1, 1e-3, 0.25);
    PrefixMechanism mechanism = Mechanisms.BLT.make();
    assertThat(new StepSize.NoiseAware(mechanism, 1, BATCH, little, true, true).describe())
        .isEqualTo(new StepSize.NoiseAware(mechanism, 1, BATCH, little, true, false).describe());
  }

  /** The form of a state is kept, also the one of before: learners that run go on from both. */
  @Test
  void leavesTheMeanOfTheFirstRoundToItsSums() {
    int dimension = 3;
    PrivateFtrl ftrl =
        new PrivateFtrl(new EuclideanBall(null, Double.POSITIVE_INFINITY), steps(0.25, true));
    Lattice lattice = new Lattice(0x1p-30, 1, dimension, BATCH);
    OptimizerState state = ftrl.start(dimension);
    Releaser releaser = Releaser.start(
        lattice,
        Mechanisms.BLT.make(),
        SIGMA,
        NoiseKey.of(new byte[32]),
        new byte[16],
        new byte[32],
        state.weights());
    ClippedSum sum = new ClippedSum(lattice);
    NoisySum first = release(releaser, sum, state);
    state.tell(first);
    assertThat(state.iterates())
        .containsExactly(1, StepRaise.HIGHEST, 0, 0, dimension, -1, 0, 0, 0);
    double[] mean = new double[dimension];
    first.lastMean(mean);
    double[] once = {1, StepRaise.HIGHEST, 0, 0, 0, dimension, mean[0], mean[1], mean[2]};
    OptimizerState resumed = ftrl.resume(dimension, state.iterates(), first);
    OptimizerState resumedFromOnce = ftrl.resume(dimension, once, first);
    assertThat(resumed.iterates()).containsExactly(state.iterates());
    NoisySum second = release(releaser, sum, state);
    for (OptimizerState each : new OptimizerState[] {state, resumed, resumedFromOnce}) {
      each.tell(second);
      assertThat(each.weights()).containsExactly(state.weights());
      assertThat(each.iterates()).containsExactly(state.iterates());
    }
    assertThat(state.iterates()).hasSizeGreaterThan(6).doesNotContain(-1);
  }

  private static NoisySum release(Releaser releaser, ClippedSum sum, OptimizerState state) {
    for (int i = 0; i < BATCH; i++) {
      sum.add(new double[] {0.5, -0.25, i % 2});
    }
    return releaser.release(sum, state.weights(), new byte[16], 0);
  }

  @Test
  void refusesStateOfAnotherNumberOfWeights() {
    PrivateFtrl ftrl =
        new PrivateFtrl(new EuclideanBall(null, Double.POSITIVE_INFINITY), steps(0.25, true));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ftrl.resume(7, new double[] {1, 4, 0, 0, 3, 0, 1, 2, 3}, null))
        .withMessage("the factor of the steps keeps 6 numbers and one or two vectors of 7, but"
            + " there were 9 numbers");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ftrl.resume(7, new double[] {1, 2, 3}, null));
  }
}
