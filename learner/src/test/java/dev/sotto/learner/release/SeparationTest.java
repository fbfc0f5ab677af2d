package dev.sotto.learner.release;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.mechanism.HonakerMatrix;
import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.Separation;
import dev.sotto.learner.optimizer.EuclideanBall;
import dev.sotto.learner.optimizer.PrivateFtrl;
import dev.sotto.learner.optimizer.StepSize;
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
 * An attack on the ledger's mu: one record, two neighbouring streams, every published model, and
 * the best linear statistic of them all. The record has the worst case's gradient: constant, and of
 * the clip's length.
 */
public class SeparationTest {
  private static final int ROUNDS = 7;
  private static final int BATCH = 2;
  private static final int RUNS = 2000;
  private static final double MU = 1; // what the ledger shall say after the last round
  private static final double ETA = 1e-5; // so small that no score reaches the hinge's kink
  private static final double[] ALONG = {0.6, 0.8};

  /**
   * One-sided 4.9 and two-sided 5 standard errors: less than once in 1e6 runs, for each assertion.
   */
  private static final double ERRORS = 5;

  private static Plan plan(Mechanism mechanism, Adjacency adjacency, double noise) {
    return TestPlans.plan(b -> {
      b.loss = Losses.HINGE.make();
      b.optimizer = new PrivateFtrl(
          new EuclideanBall(null, Double.POSITIVE_INFINITY), new StepSize.Fixed(ETA, 1));
      b.mechanism = mechanism;
      b.adjacency = adjacency;
      b.batch = BATCH;
      b.sigma = noise * adjacency.sensitivity(1) * mechanism.sensitivity(ROUNDS) / MU;
    });
  }

  private static NoiseKey key(int run) {
    return NoiseKey.of(ByteBuffer.allocate(32).putInt(run).array());
  }

  /** What the published weights of a stream of equal records say about its prefix sums. */
  private static double[] published(Plan plan, double length, boolean neighbour, int run) {
    ModelLearner learner = ModelLearner.start(plan, key(run), "model", "label");
    double[] transcript = new double[ROUNDS];
    Slot slot = new Slot(2);
    for (int place = 0; place < ROUNDS * BATCH; place++) {
      boolean victim = place == 0;
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
        double score = weights[0] * ALONG[0] + weights[1] * ALONG[1];
        if (!(Math.abs(score * length) < 1)) {
          throw new IllegalStateException("the hinge must not bend, but the score was " + score);
        }
        transcript[(int) learner.round() - 1] = -score * BATCH / ETA;
      }
    }
    return transcript;
  }

  static Stream<Arguments> settings() {
    return Stream.of(Mechanisms.values())
        .filter(mechanism -> !mechanism.make().isPure()) // LaplaceAuditTest
        .flatMap(mechanism -> Stream.of(Adjacency.values())
            .flatMap(adjacency ->
                Stream.of(1.0, 100.0).map(length -> Arguments.of(mechanism, adjacency, length))));
  }

  @ParameterizedTest
  @MethodSource("settings")
  void separatesNeighboursByTheMuOfTheLedgerAndNoMore(
      Mechanisms each, Adjacency adjacency, double length) {
    Plan plan = plan(each.make(), adjacency, 1);
    Separation measured =
        Separation.measure((neighbour, run) -> published(plan, length, neighbour, run), RUNS);
    assertThat(measured.mu()).isLessThan(plan.mu(ROUNDS) + ERRORS * measured.error());
    // The attack has power: it reaches the ledger's mu, but for the cost of learning its statistic.
    double given = each == Mechanisms.BINARY_TREE_HONAKER ? givenByHonaker() : 1;
    double reach = given * plan.mu(ROUNDS);
    assertThat(measured.mu()).isGreaterThan(0.98 * reach - ERRORS * measured.error());
  }

  /** What prefixes tell of a record in the first round, of what all nodes would. */
  private static double givenByHonaker() {
    double told = HonakerMatrix.told(HonakerMatrix.prefixCovariance(ROUNDS), 0);
    return Math.sqrt(told) / Mechanisms.BINARY_TREE_HONAKER.make().sensitivity(ROUNDS);
  }

  /** The broken twins: what the test above would say of half the noise... */
  @ParameterizedTest
  @MethodSource("settings")
  void wouldCatchHalfTheNoise(Mechanisms each, Adjacency adjacency, double length) {
    Plan honest = plan(each.make(), adjacency, 1);
    Plan halved = plan(each.make(), adjacency, 0.5);
    Separation measured =
        Separation.measure((neighbour, run) -> published(halved, length, neighbour, run), RUNS / 4);
    assertThat(measured.mu()).isGreaterThan(honest.mu(ROUNDS) + ERRORS * measured.error());
  }

  /** ...and of sums that are clipped whole, to the same B L, in place of each gradient. */
  @Test
  void wouldCatchClippingAfterTheSum() {
    Plan plan = plan(Mechanisms.BINARY_TREE.make(), Adjacency.ZERO_OUT, 1);
    Separation measured =
        Separation.measure((neighbour, run) -> clippedAfterTheSum(plan, neighbour, run), RUNS / 4);
    assertThat(measured.mu()).isGreaterThan(plan.mu(ROUNDS) + ERRORS * measured.error());
  }

  private static double[] clippedAfterTheSum(Plan plan, boolean neighbour, int run) {
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
    for (int t = 0; t < ROUNDS; t++) {
      double victim = t > 0 ? 1 : neighbour ? 0 : 100;
      double length = Math.max(-BATCH, Math.min(BATCH, victim - 1)); // the other one points back
      double unit = plan.lattice().unit();
      sum.restore(
          new double[] {
            Math.rint(ALONG[0] * length / unit) * unit, Math.rint(ALONG[1] * length / unit) * unit
          },
          BATCH);
      releaser.release(sum, mean, new byte[16], 0).mean(mean);
      transcript[t] = -BATCH * (mean[0] * ALONG[0] + mean[1] * ALONG[1]);
    }
    return transcript;
  }
}
