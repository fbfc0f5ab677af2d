package dev.sotto.learner.optimizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.optimizer.AcceleratedDpSrgd.Gradients;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.participation.GenerationSchedule.Kind;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.TestPlans;
import dev.sotto.testing.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every variant against the page's formulas, written out by hand in plain doubles, without noise. */
class AcceleratedDpSrgdReferenceTest {
  private static final int ROUNDS = 14;
  private static final int BATCH = 4;
  private static final int DIMENSION = 3;
  private static final double CLIP = 0.45;
  private static final double BETA = 0.4;

  record Variant(
      boolean accelerated,
      Gradients gradients,
      GenerationSchedule generations,
      int lag,
      boolean box) {
    Projection set() {
      return box ? new Box(-0.3, 0.5) : new EuclideanBall(null, 1.5);
    }

    Plan plan() {
      return TestPlans.plan(p -> {
        p.noNoise();
        p.dimension = DIMENSION;
        p.loss = Losses.LOGISTIC.make();
        p.clip = CLIP;
        p.batch = BATCH;
        p.sigma = 1e-6; // of no noise: it makes the lattice fine
        p.generations = generations;
        p.lag = lag;
        p.optimizer = new AcceleratedDpSrgd(set(), BETA, accelerated, gradients);
      });
    }
  }

  static Stream<Variant> variants() {
    return Stream.of(
            GenerationSchedule.NONE,
            new GenerationSchedule(Kind.CONSTANT, 4),
            new GenerationSchedule(Kind.DOUBLING, 2))
        .flatMap(generations -> Stream.of(0, 1)
            .flatMap(lag -> Stream.of(Gradients.values())
                .flatMap(gradients -> Stream.of(true, false)
                    .flatMap(accelerated -> Stream.of(false, true)
                        .map(box -> new Variant(accelerated, gradients, generations, lag, box))))));
  }

  private static double[][] features() {
    Random random = Seed.random(2);
    double[][] features = new double[ROUNDS * BATCH][DIMENSION];
    for (double[] each : features) {
      for (int i = 0; i < DIMENSION; i++) {
        each[i] = random.nextGaussian() / 2;
      }
    }
    return features;
  }

  private static double label(int i) {
    return i * 7 % 3 == 0 ? 1 : 0;
  }

  private static List<double[]> learned(Variant variant) {
    ModelLearner learner = ModelLearner.start(variant.plan(), NoiseKey.of(new byte[32]), "m", "");
    double[][] features = features();
    List<double[]> weights = new ArrayList<>();
    for (int i = 0; i < features.length; i++) {
      Slot slot = new Slot(DIMENSION);
      slot.clear();
      System.arraycopy(features[i], 0, slot.example().dense(), 0, DIMENSION);
      slot.example().label(label(i));
      slot.status(RecordStatus.USED);
      if (learner.fill(slot)) {
        weights.add(learner.close().weights());
      }
    }
    return weights;
  }

  private static double[] gradient(double[] at, double[] x, double label) {
    double score = 0;
    for (int i = 0; i < DIMENSION; i++) {
      score += at[i] * x[i];
    }
    double slope = 1 / (1 + Math.exp(-score)) - label;
    double[] gradient = new double[DIMENSION];
    for (int i = 0; i < DIMENSION; i++) {
      gradient[i] = slope * x[i];
    }
    return gradient;
  }

  private static double length(double[] v) {
    return Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  }

  private static double[] projected(Variant variant, double[] v) {
    double[] p = v.clone();
    double factor = variant.box() ? 1 : Math.min(1, 1.5 / length(v));
    for (int i = 0; i < DIMENSION; i++) {
      p[i] = variant.box() ? Math.max(-0.3, Math.min(0.5, v[i])) : factor * v[i];
    }
    return p;
  }

  private static int place(GenerationSchedule generations, int round) {
    return switch (generations.kind()) {
      case NONE -> round;
      case CONSTANT -> (round - 1) % 4 + 1;
      case DOUBLING -> round <= 2 ? round : round <= 6 ? round - 2 : round - 6; // 2, 4, 8 rounds
    };
  }

  /** The weights of every round, and by the way how many differences were cut. */
  private static List<double[]> byHand(Variant variant, int[] cut, boolean apart) {
    boolean recursive = variant.gradients() == Gradients.RECURSIVE;
    double[][] features = features();
    List<double[]> points =
        new ArrayList<>(List.of(new double[DIMENSION])); // after round 0, 1, ...
    double[] y = new double[DIMENSION];
    double[] z = y;
    double[] x = y;
    double[] sum = new double[DIMENSION];
    List<double[]> published = new ArrayList<>();
    for (int round = 1; round <= ROUNDS; round++) {
      int t = place(variant.generations(), round);
      if (t == 1 || !recursive) {
        sum = new double[DIMENSION];
      }
      double[] at = points.get(Math.max(0, round - 1 - variant.lag()));
      double[] before = points.get(Math.max(0, round - 2 - variant.lag()));
      for (int i = (round - 1) * BATCH; i < round * BATCH; i++) {
        double[] one = gradient(at, features[i], label(i));
        double[] other = gradient(before, features[i], label(i));
        double[] difference = new double[DIMENSION];
        double cutOne = apart ? Math.min(1, CLIP / (t * length(one))) : 1;
        double cutOther = apart && t > 1 ? Math.min(1, CLIP / ((t - 1) * length(other))) : 1;
        for (int j = 0; j < DIMENSION; j++) {
          difference[j] = recursive ? cutOne * t * one[j] - cutOther * (t - 1) * other[j] : one[j];
        }
        double norm = length(difference);
        cut[norm > CLIP ? 1 : 0]++;
        double factor = apart ? 1 : Math.min(1, CLIP / norm);
        for (int j = 0; j < DIMENSION; j++) {
          sum[j] += factor * difference[j];
        }
      }
      double[] toY = new double[DIMENSION];
      double[] toZ = new double[DIMENSION];
      for (int j = 0; j < DIMENSION; j++) {
        double mean = sum[j] / BATCH;
        toY[j] = x[j] - mean / (recursive ? t * BETA : BETA);
        toZ[j] = z[j] - (recursive ? mean / BETA : t * mean / BETA);
      }
      y = projected(variant, toY);
      z = projected(variant, toZ);
      double tau = 2.0 / (t + 2);
      x = new double[DIMENSION];
      for (int j = 0; j < DIMENSION; j++) {
        x[j] = variant.accelerated() ? (1 - tau) * y[j] + tau * z[j] : y[j];
      }
      published.add(y);
      if (place(variant.generations(), round + 1) == 1) {
        z = y;
        x = y;
      }
      points.add(x);
    }
    return published;
  }

  @ParameterizedTest
  @MethodSource("variants")
  void takesTheStepsOfThePage(Variant variant) {
    int[] cut = new int[2];
    List<double[]> expected = byHand(variant, cut, false);
    List<double[]> learned = learned(variant);
    for (int round = 0; round < ROUNDS; round++) {
      assertThat(learned.get(round))
          .as("round %s", round + 1)
          .containsExactly(expected.get(round), within(1e-7));
    }
    assertThat(cut[0]).isPositive();
    assertThat(cut[1]).isPositive(); // the clip is part of what is compared
  }

  /** Two gradients cut one by one, and then taken apart, are another algorithm, and not a private one. */
  @Test
  void cutsTheDifferenceAsOne() {
    Variant variant = new Variant(true, Gradients.RECURSIVE, GenerationSchedule.NONE, 0, false);
    double[] apart = byHand(variant, new int[2], true).get(ROUNDS - 1);
    double[] learned = learned(variant).get(ROUNDS - 1);
    double distance = 0;
    for (int i = 0; i < DIMENSION; i++) {
      distance = Math.max(distance, Math.abs(apart[i] - learned[i]));
    }
    assertThat(distance).isGreaterThan(1e-3);
  }

  /** The price of generations for a record is that of the longest one, not their sum. */
  @Test
  void paysForTheDearestGeneration() {
    Plan plan = TestPlans.plan(p -> {
      p.generations = new GenerationSchedule(Kind.CONSTANT, 8);
      p.optimizer = new AcceleratedDpSrgd(new EuclideanBall(null, 1), 1, true, Gradients.RECURSIVE);
    });
    Plan endless = TestPlans.plan(p -> p.optimizer = plan.optimizer());
    assertThat(plan.mu(7)).isEqualTo(endless.mu(7));
    assertThat(plan.mu(8)).isEqualTo(endless.mu(8));
    assertThat(plan.mu(1000)).isEqualTo(endless.mu(8));
    assertThat(endless.mu(1000)).isGreaterThan(plan.mu(1000));
    assertThat(plan.sensitivity()).isEqualTo(plan.clip());
  }

  @Test
  void staysFiniteAtExtremes() {
    for (double beta : new double[] {1e-300, Double.MIN_VALUE, 1e300}) {
      for (Gradients gradients : Gradients.values()) {
        Plan plan = TestPlans.plan(p -> {
          p.optimizer = new AcceleratedDpSrgd(
              new EuclideanBall(null, Double.POSITIVE_INFINITY), beta, true, gradients);
          p.batch = 1;
        });
        ModelLearner learner = ModelLearner.start(plan, NoiseKey.of(new byte[32]), "m", "");
        for (int round = 0; round < 8; round++) {
          learner.fillAbsent(1);
          assertThat(learner.close().weights()).doesNotContain(Double.NaN);
          double[] point = learner.queryOf(learner.round() + 1).point();
          for (double each : point) {
            assertThat(each).isFinite();
          }
        }
      }
    }
  }

  @Test
  void refusesSettingsWithoutMeaning() {
    Projection set = new EuclideanBall(null, 1);
    for (double beta : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new AcceleratedDpSrgd(set, beta, true, Gradients.RECURSIVE))
          .withMessage("beta must be positive and finite, but was " + beta);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            new AcceleratedDpSrgd(set, 1, true, Gradients.RECURSIVE).resume(2, new double[2], null))
        .withMessageContaining("keeps 6 numbers");
  }
}
