package dev.sotto.learner.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.accounting.PrivateMetrics;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.optimizer.EuclideanBall;
import dev.sotto.learner.optimizer.PrivateFtrl;
import dev.sotto.learner.optimizer.StepSize;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.PlanBuilder;
import dev.sotto.testing.Seed;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The alarm on the metrics of private learners: their own noise makes the loss go up and down. */
class LearnerDriftTest {
  private static final int DIMENSION = 4;
  private static final int BATCH = 256;

  private static Plan plan() {
    return new PlanBuilder()
        .features("drawn")
        .dimension(DIMENSION)
        .loss("logistic", Losses.LOGISTIC.make())
        .algorithm(
            "private-ftrl",
            "decreasing 1",
            new PrivateFtrl(new EuclideanBall(null, 8), new StepSize.Decreasing(2)))
        .mechanism(Mechanisms.BINARY_TREE.make())
        .clip(1)
        .batch(BATCH)
        .sigma(4)
        .adjacency(Adjacency.ZERO_OUT)
        .unit(PrivacyUnit.RECORD)
        .budget(new Budget(1e6, 1e-6))
        .metrics(new PrivateMetrics(6, 2, 1, 1))
        .build();
  }

  /** The sign of a linear score, one label in 20 wrong; the other way round after the flip. */
  private static void draw(Slot slot, Random random, boolean flipped) {
    double[] values = slot.example().dense();
    double score = 0;
    for (int i = 0; i < DIMENSION; i++) {
      values[i] = random.nextBoolean() ? 0.5 : -0.5;
      score += (i < 3 ? 1 : 0.5) * values[i];
    }
    boolean label = score > 0 ^ random.nextInt(20) == 0 ^ flipped;
    slot.status(RecordStatus.USED);
    slot.example().label(label ? 1 : 0);
    slot.example().weight(1);
  }

  /** The last round of the window with the first alarm; 0 without one. */
  private static long alarm(Plan plan, int run, int rounds, int flip) {
    Random random = Seed.random(run);
    byte[] key = ByteBuffer.allocate(32).putInt(run).array();
    ModelLearner model = ModelLearner.start(plan, NoiseKey.of(key), "model", "run");
    DriftMonitor monitor = new DriftMonitor();
    Slot slot = new Slot(DIMENSION);
    for (int round = 1; round <= rounds; round++) {
      boolean full;
      do {
        draw(slot, random, round > flip);
        full = model.fill(slot);
      } while (!full);
      model.close().metrics().ifPresent(monitor::accept);
      if (monitor.drift().filter(Drift::isAlarm).isPresent()) {
        return round;
      }
    }
    return 0;
  }

  /**
   * Stated are 1 of 100 runs: of 120 more than 11, and of 1,000 more than 32, have an alarm in less
   * than 1e-7 of all tests (binomial).
   */
  @Test
  void keepsItsRateWithoutDrift() {
    assertThat(alarmsWithoutDrift(120)).isLessThanOrEqualTo(11);
  }

  @Tag("long")
  @Test
  void keepsItsRateInAThousandRunsWithoutDrift() {
    assertThat(alarmsWithoutDrift(1_000)).isLessThanOrEqualTo(32);
  }

  private static long alarmsWithoutDrift(int runs) {
    Plan plan = plan();
    return IntStream.range(0, runs)
        .filter(run -> alarm(plan, run, 40, Integer.MAX_VALUE) > 0)
        .count();
  }

  /**
   * The loss doubles and more: a rise of 0.7 and above, against a threshold of 0.36. Two rounds are
   * enough in all of these runs; stated are three, at which a round's bounds would have to fail.
   */
  @Test
  void findsAFlipOfLabelsWithinThreeRounds() {
    Plan plan = plan();
    for (int run = 0; run < 15; run++) {
      assertThat(alarm(plan, run, 63, 60)).isBetween(61L, 63L);
    }
  }
}
