package dev.sotto.learner.release;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.accounting.PrivateMetrics;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.KeyedNoise;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.loss.Hinge;
import dev.sotto.learner.loss.Logistic;
import dev.sotto.learner.loss.Loss;
import dev.sotto.learner.loss.Squared;
import dev.sotto.learner.training.ClosedRound;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.Streams;
import dev.sotto.learner.training.TestPlans;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Takes the noise off with the key, and finds the sums that a slow computation gives, to the last
 * bit.
 */
class MetricsSumsTest {
  private static final NoiseKey KEY = NoiseKey.of(new byte[32]);
  private static final int BATCH = 16;
  private static final int BINS = 5;
  private static final int WINDOW = 3;
  private static final double LOSS_BOUND = 0.9;
  private static final double SIGMA = 3;

  private static Plan plan(Loss loss, double sigma) {
    return TestPlans.plan(b -> {
      b.loss = loss;
      b.batch = BATCH;
      b.metrics = new PrivateMetrics(sigma, LOSS_BOUND, BINS, WINDOW);
    });
  }

  private static Lattice lattice() {
    return Lattice.fit(Math.sqrt(3), SIGMA, 3 + 2 * BINS, BATCH);
  }

  /**
   * Good, overlong, weighted, unreadable and wrongly labelled examples, and some that are not
   * finite.
   */
  private static Slot slot(int place) {
    double[] broken = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 1e308};
    if (place % 13 == 6) {
      return Streams.used(place % 2, broken[place % 4], place % 3);
    }
    return place % 17 == 9 ? Streams.used(0.25, 0.1 * place, -2) : Streams.mixed(place, 2);
  }

  /**
   * One round's exact sums in grid units: figure by figure, each example cut and rounded by itself.
   */
  private static long[] slowly(Plan plan, double[] weights, List<Slot> slots, boolean twin) {
    Lattice lattice = lattice();
    long[] sums = new long[lattice.dimension()];
    for (Slot slot : slots) {
      double score = slot.example().dot(weights);
      double loss = plan.loss().value(score, slot.example().label());
      if (slot.status() != RecordStatus.USED || !Double.isFinite(score) || Double.isNaN(loss)) {
        continue;
      }
      double predicted = cut(plan.loss().predict(score));
      double label = cut(slot.example().label());
      double[] figures = new double[lattice.dimension()];
      figures[0] = cut(loss / LOSS_BOUND);
      figures[Math.round(predicted) == Math.round(label) ? 1 : 2] = twin ? 2 : 1;
      int bin = 0;
      while (bin < BINS - 1 && predicted * BINS >= bin + 1) {
        bin++;
      }
      figures[3 + 2 * bin] = 1 - label;
      figures[4 + 2 * bin] = label;
      double square = Arrays.stream(figures).map(each -> each * each).sum();
      double factor = Math.min(1, lattice.inside() / Math.sqrt(square));
      for (int i = 0; i < figures.length; i++) {
        sums[i] += Math.round(factor * figures[i] / lattice.unit());
      }
    }
    return sums;
  }

  private static double cut(double value) {
    return Math.min(1, Math.max(0, value));
  }

  /** What the key says is on top, in grid units. */
  private static long[] noise(byte[] digest, long round) {
    Lattice lattice = lattice();
    long[] noise = new long[lattice.dimension()];
    new KeyedNoise(KEY, SIGMA / lattice.unit()).add(digest, "metrics", round, 1, noise);
    return noise;
  }

  /**
   * For each published window its figures, and the same computed slowly; {@code late} uses digests
   * of before.
   */
  private static List<double[][]> windows(Plan plan, boolean late, boolean twin) {
    ModelLearner learner = ModelLearner.start(plan, KEY, "model", "label");
    List<double[][]> windows = new ArrayList<>();
    long[] expected = new long[lattice().dimension()];
    for (int round = 1; round <= 4 * WINDOW; round++) {
      double[] weights = learner.weights();
      List<Slot> slots = new ArrayList<>();
      for (int i = 0; i < BATCH; i++) {
        slots.add(slot(round * BATCH + i));
        learner.fill(slots.get(i));
      }
      byte[] before = learner.digest();
      ClosedRound closed = learner.close();
      long[] exact = slowly(plan, weights, slots, twin);
      long[] noise = noise(late ? before : learner.digest(), round);
      Arrays.setAll(expected, i -> expected[i] + exact[i] + noise[i]);
      if (closed.metrics().isPresent()) {
        double[] slow =
            Arrays.stream(expected).mapToDouble(each -> each * lattice().unit()).toArray();
        windows.add(new double[][] {closed.metrics().get().sums(), slow});
        Arrays.fill(expected, 0);
      }
    }
    return windows;
  }

  static List<Loss> losses() {
    return List.of(new Logistic(), new Hinge(), new Squared());
  }

  @ParameterizedTest
  @MethodSource("losses")
  void areThoseOfASlowComputationPlusTheNoiseOfTheKey(Loss loss) {
    List<double[][]> windows = windows(plan(loss, SIGMA), false, false);
    assertThat(windows).hasSize(4);
    windows.forEach(each -> assertThat(each[0]).containsExactly(each[1]));
  }

  /**
   * The broken twins: noise bound to the digest before the sums were final, and figures of another
   * length.
   */
  @Test
  void areNotThoseOfAnotherDigestOrAnotherComputation() {
    Plan plan = plan(new Logistic(), SIGMA);
    windows(plan, true, false).forEach(each -> assertThat(each[0]).isNotEqualTo(each[1]));
    windows(plan, false, true).forEach(each -> assertThat(each[0]).isNotEqualTo(each[1]));
  }

  /**
   * A fully wrong example is as long as one can be: cut to the bound with all that rounding may
   * add.
   */
  @Test
  void countNoExampleForMoreThanTheBound() {
    Plan plan = TestPlans.plan(b -> {
      b.batch = BATCH;
      b.metrics = new PrivateMetrics(SIGMA, 0.1, BINS, WINDOW);
    });
    ModelLearner learner = ModelLearner.start(plan, KEY, "model", "label");
    for (int i = 0; i < BATCH; i++) {
      learner.fill(Streams.used(0, 3, 4));
    }
    learner.close();
    Lattice lattice = lattice();
    double[] sums = new double[lattice.dimension()];
    PrefixSum.of(learner.state().release().window(), sums.length).toDoubles(sums, 1, 1);
    long[] noise = noise(learner.digest(), 1);
    double[] one = new double[sums.length];
    Arrays.setAll(one, i -> (sums[i] - noise[i]) * lattice.unit() / BATCH);
    assertThat(one[0]).isPositive().isEqualTo(one[2]).isEqualTo(one[3 + 2 * (BINS / 2)]);
    double square = Arrays.stream(one).map(each -> each * each).sum();
    assertThat(square).isLessThanOrEqualTo(3).isGreaterThan(3 * (1 - 0x1p-9));
  }
}
