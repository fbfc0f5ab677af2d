package dev.sotto.learner.release;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.loss.Loss;
import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.Separation;
import dev.sotto.learner.optimizer.AcceleratedDpSrgd;
import dev.sotto.learner.optimizer.AcceleratedDpSrgd.Gradients;
import dev.sotto.learner.optimizer.EuclideanBall;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.TestPlans;
import java.nio.ByteBuffer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The attack of {@link SeparationTest} on Accelerated DP-SRGD: one record in round 2, whose two
 * gradients point in opposite directions, so that their difference is as long as any; every
 * published model; the best linear statistic.
 */
class DifferenceSeparationTest {
  private static final int ROUNDS = 7;
  private static final int BATCH = 2;
  private static final int RUNS = 2000;
  private static final double MU = 1; // what the ledger shall say after the last round
  private static final double BETA = 1e5;
  private static final double[] ALONG = {0.6, 0.8};

  /**
   * One-sided 4.9 and two-sided 5 standard errors: less than once in 1e6 runs, for each assertion.
   */
  private static final double ERRORS = 5;

  /**
   * Falls at the start, where the score is 0, and rises everywhere else: no guarantee needs a
   * decent loss.
   */
  private record Turning() implements Loss {
    @Override
    public double value(double score, double label) {
      return 0;
    }

    @Override
    public double slope(double score, double label) {
      return (score == 0 ? -1 : 1) * (label == 1 ? 1 : -1);
    }

    @Override
    public boolean admits(double label) {
      return true;
    }

    @Override
    public double lipschitz() {
      return 1;
    }

    @Override
    public double smoothness() {
      return Double.POSITIVE_INFINITY;
    }

    @Override
    public double predict(double score) {
      return score;
    }
  }

  private static Plan plan(Mechanism mechanism, Adjacency adjacency, double noise) {
    return TestPlans.plan(b -> {
      b.loss = new Turning();
      b.optimizer = new AcceleratedDpSrgd(
          new EuclideanBall(null, Double.POSITIVE_INFINITY), BETA, true, Gradients.RECURSIVE);
      b.mechanism = mechanism;
      b.adjacency = adjacency;
      b.batch = BATCH;
      b.sigma = noise * adjacency.sensitivity(1) * mechanism.sensitivity(ROUNDS) / MU;
    });
  }

  private static NoiseKey key(int run) {
    return NoiseKey.of(ByteBuffer.allocate(32).putInt(run).array());
  }

  /** S~ of every round, along the record's features, from what was published and nothing else. */
  private static double[] published(
      Plan plan, double length, boolean neighbour, int victimRound, int run) {
    ModelLearner learner = ModelLearner.start(plan, key(run), "model", "label");
    double[] transcript = new double[ROUNDS];
    double z = 0;
    double x = 0;
    Slot slot = new Slot(2);
    for (int place = 0; place < ROUNDS * BATCH; place++) {
      boolean victim = place == (victimRound - 1) * BATCH;
      double[] features = slot.example().dense();
      features[0] = ALONG[0] * (victim ? length : 1);
      features[1] = ALONG[1] * (victim ? length : 1);
      slot.example().label(1);
      slot.verdict(RecordStatus.USED);
      if (victim && neighbour && plan.adjacency() == Adjacency.ZERO_OUT) {
        slot.verdict(RecordStatus.UNREADABLE);
      } else if (victim && neighbour) {
        slot.example().label(0);
      }
      if (learner.fill(slot)) {
        double[] weights = learner.close().weights();
        double y = weights[0] * ALONG[0] + weights[1] * ALONG[1];
        int t = (int) learner.round();
        double mean = (x - y) * t * BETA;
        transcript[t - 1] = mean * BATCH;
        z -= mean / BETA;
        x = (1 - 2.0 / (t + 2)) * y + 2.0 / (t + 2) * z;
      }
    }
    return transcript;
  }

  static Stream<Arguments> settings() {
    return Stream.of(Mechanisms.INDEPENDENT, Mechanisms.BLT, Mechanisms.BINARY_TREE)
        .flatMap(mechanism -> Stream.of(Adjacency.values())
            .flatMap(adjacency ->
                Stream.of(1.0, 100.0).map(length -> Arguments.of(mechanism, adjacency, length))));
  }

  @ParameterizedTest
  @MethodSource("settings")
  void separatesNeighboursByTheMuOfTheLedgerAndNoMore(
      Mechanisms each, Adjacency adjacency, double length) {
    Plan plan = plan(each.make(), adjacency, 1);
    for (int round = 1; round <= 2; round++) {
      int victim = round;
      Separation measured = Separation.measure(
          (neighbour, run) -> published(plan, length, neighbour, victim, run), RUNS);
      assertThat(measured.mu()).isLessThan(plan.mu(ROUNDS) + ERRORS * measured.error());
      assertThat(measured.mu())
          .isGreaterThan(0.98 * reach(each, plan, victim) - ERRORS * measured.error());
    }
  }

  /**
   * What a record of this round costs by the last one: a record of round 2 lies in one round less.
   */
  private static double reach(Mechanisms each, Plan plan, int victim) {
    double worst = plan.mechanism().sensitivity(ROUNDS);
    double own = victim == 1
        ? worst
        : each == Mechanisms.BINARY_TREE
            ? Math.sqrt(2) // nodes 2 and 4
            : plan.mechanism().sensitivity(ROUNDS - 1);
    return plan.mu(ROUNDS) * own / worst;
  }

  /** The broken twins: what the test above would say of half the noise... */
  @ParameterizedTest
  @MethodSource("settings")
  void wouldCatchHalfTheNoise(Mechanisms each, Adjacency adjacency, double length) {
    Plan honest = plan(each.make(), adjacency, 1);
    Plan halved = plan(each.make(), adjacency, 0.5);
    Separation measured = Separation.measure(
        (neighbour, run) -> published(halved, length, neighbour, 1, run), RUNS / 4);
    assertThat(measured.mu()).isGreaterThan(honest.mu(ROUNDS) + ERRORS * measured.error());
  }

  /** ...and of two gradients that are cut one by one before one is taken from the other. */
  @Test
  void wouldCatchClippingTheTwoGradientsApart() {
    for (Mechanisms each : new Mechanisms[] {Mechanisms.INDEPENDENT, Mechanisms.BLT}) {
      Plan plan = plan(each.make(), Adjacency.ZERO_OUT, 1);
      Separation measured =
          Separation.measure((neighbour, run) -> cutApart(plan, neighbour, run), RUNS / 4);
      assertThat(measured.mu()).isGreaterThan(plan.mu(ROUNDS) + ERRORS * measured.error());
    }
  }

  private static double[] cutApart(Plan plan, boolean neighbour, int run) {
    Releaser releaser = Releaser.start(
        plan.lattice(),
        plan.mechanism(),
        plan.sigma(),
        key(run),
        new byte[16],
        plan.fingerprint(),
        new double[2]);
    ClippedSum sum = new ClippedSum(plan.lattice());
    double[] mean = new double[2];
    double[] transcript = new double[ROUNDS];
    double unit = plan.lattice().unit();
    for (int t = 1; t <= ROUNDS; t++) {
      // eta_t g(x_t) and eta_{t-1} g(x_{t-1}) of the victim, each cut to length 1.
      double victim = t != 2 || neighbour ? 0 : 1 - -1;
      sum.restore(
          new double[] {
            Math.rint(ALONG[0] * victim / unit) * unit, Math.rint(ALONG[1] * victim / unit) * unit
          },
          BATCH);
      releaser.release(sum, mean, new byte[16], 0).mean(mean);
      transcript[t - 1] = BATCH * (mean[0] * ALONG[0] + mean[1] * ALONG[1]);
    }
    return transcript;
  }
}
