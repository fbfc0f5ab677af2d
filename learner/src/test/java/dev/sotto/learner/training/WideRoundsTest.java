package dev.sotto.learner.training;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.PrefixMechanism;
import dev.sotto.learner.optimizer.EuclideanBall;
import dev.sotto.learner.optimizer.PrivateFtrl;
import dev.sotto.learner.optimizer.StepSize;
import java.util.Arrays;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rounds of many weights close on all cores: the same bits on any number of them. */
class WideRoundsTest {
  private static final int DIMENSION = 40_001; // ten ranges, the last one short
  private static final int BATCH = 8;
  private static final int ROUNDS = 7;

  /** All that a round leaves. */
  private record Learned(byte[] digest, double[] weights, double[] iterates, byte[] noise) {
    boolean is(Learned other) {
      return Arrays.equals(digest, other.digest)
          && Arrays.equals(weights, other.weights)
          && Arrays.equals(iterates, other.iterates)
          && Arrays.equals(noise, other.noise);
    }
  }

  private static ModelLearner learner(PrefixMechanism of, double radius, double sigmaOf) {
    return ModelLearner.start(
        TestPlans.plan(plan -> {
          Objective objective = Objective.of(Losses.LOGISTIC.make());
          plan.dimension = DIMENSION;
          plan.features = "wide";
          plan.mechanism = of;
          plan.batch = BATCH;
          plan.sigma = sigmaOf;
          plan.budget = new Budget(Double.POSITIVE_INFINITY, 1e-6);
          plan.optimizer = new PrivateFtrl(
              new EuclideanBall(null, radius),
              new StepSize.NoiseAware(
                  of, sigmaOf, BATCH, objective.stepScale(1).orElseThrow(), true, true));
        }),
        NoiseKey.of(new byte[32]),
        "model",
        "label");
  }

  private static Learned learn(ModelLearner learner) {
    Slot slot = new Slot(DIMENSION);
    for (int i = 0; i < ROUNDS * BATCH; i++) {
      slot.clear();
      for (int place = i % 3; place < DIMENSION; place += 1999) {
        slot.example().add(place, place % 5 == 0 ? 0.3 : 0.1);
      }
      slot.example().label(1);
      slot.status(RecordStatus.USED);
      if (learner.fill(slot)) {
        learner.close();
      }
    }
    ModelState state = learner.state();
    return new Learned(
        learner.digest(), learner.weights(), state.iterates(), state.release().prefix().join());
  }

  private static Learned learnOn(int threads, ModelLearner learner) {
    ForkJoinPool pool = new ForkJoinPool(threads);
    try {
      return pool.submit(() -> learn(learner)).join();
    } finally {
      pool.shutdown();
    }
  }

  @ParameterizedTest
  @EnumSource(Mechanisms.class)
  void givesTheSameBitsInAnyNumberOfThreads(Mechanisms mechanism) {
    Learned expected = learn(learner(mechanism.make(), Double.POSITIVE_INFINITY, 0.01));
    for (int threads : new int[] {1, 2, 3, 7}) {
      ModelLearner learner = learner(mechanism.make(), Double.POSITIVE_INFINITY, 0.01);
      assertThat(learnOn(threads, learner).is(expected)).as("%d threads", threads).isTrue();
    }
  }

  @Test
  void givesTheSameBitsInABallAndWithoutNoise() {
    PrefixMechanism none = Mechanisms.noneForPublicData();
    Learned expected = learn(learner(none, 0.01, 0));
    for (int threads : new int[] {1, 2, 3, 7}) {
      assertThat(learnOn(threads, learner(none, 0.01, 0)).is(expected)).isTrue();
    }
  }

  /** Where bits are compared, steps do exceed those of the worst curvature, and so do their sums. */
  @Test
  void comparesWhatDependsOnSumsOverAllWeights() {
    Learned learned =
        learn(learner(Mechanisms.BLT.make(), Double.POSITIVE_INFINITY, 0.01));
    assertThat(learned.iterates()[0]).as("the factor of the steps").isGreaterThan(1);
    assertThat(learned.iterates()[3]).as("the square of visible gradients").isPositive();
    Learned other = learn(learner(Mechanisms.BLT.make(), Double.POSITIVE_INFINITY, 0.02));
    assertThat(other.is(learned)).isFalse();
  }
}
