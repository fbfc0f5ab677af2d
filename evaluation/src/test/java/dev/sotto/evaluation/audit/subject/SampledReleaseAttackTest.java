package dev.sotto.evaluation.audit.subject;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.evaluation.audit.Plans;
import dev.sotto.evaluation.audit.statistics.TailProbability;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.training.Plan;
import java.util.function.DoublePredicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * An attacker who knows everything but one slot, its coins and the noise, against the learner as it
 * runs: keys, coins, clipped sums at several points and noise of the product, 2 rounds of 10 points
 * at rate 0.05 and sigma 1. He says "the slot was there" where the likelihood ratio exceeds
 * e^epsilon, which no other rule betters. Every transcript has a key of its own, so that they are independent.
 *
 * <p>Bounds are Clopper and Pearson's at 1e-8; there are 24 of them, so that a sound learner fails
 * at most once in 4 million seeds. The seeds are fixed.
 */
class SampledReleaseAttackTest {
  private static final int ROUNDS = 2;
  private static final int POINTS = 10;
  private static final double RATE = 0.05;
  private static final int TRIALS = 30_000;
  private static final int FEW = 1_000;
  private static final double CHANCE = 1e-8;

  private static Plan plan(double delta) {
    return Plans.plan(each -> {
      each.dimension = 1;
      each.blocks(QuerySchedule.sampled(4, ROUNDS, new QuerySchedule.Sampling(POINTS, RATE)));
      each.sigma = 1;
      each.delta = delta;
    });
  }

  /** ln P/Q of the transcript of one block, with the target in its second slot or without. */
  private static double loss(
      AuditSubject subject, Plan plan, boolean present, boolean shared, long number) {
    AuditSubject.Run run = subject.start(
        plan,
        new AuditSubject.Identity(SeedHash.of(83, present ? "in" : "out", number), "attacked"),
        new AuditSubject.Window(0, 1));
    Slot slot = new Slot(plan.inputs());
    double[] answer = new double[1];
    double loss = 0;
    for (int k = 0; k < ROUNDS; k++) {
      for (int i = k == 0 ? 8 : 4; i > 0; i--) { // the first query is read, and not answered
        slot.clear();
        if (present && run.nextSlot() == 1) {
          slot.status(RecordStatus.USED);
          slot.example().add(0, 0x1p-20);
          slot.example().label(0);
          slot.example().weight(0x1p60); // cut to the clip, 1, whatever the point is
        }
        run.fill(slot);
      }
      double tilt = 0;
      for (int m = 0; m < POINTS; m++) {
        run.close(answer);
        tilt += answer[0] - 0.5;
        loss += shared ? 0 : Math.log1p(RATE * Math.expm1(answer[0] - 0.5));
      }
      loss += shared ? Math.log1p(RATE * Math.expm1(tilt)) : 0;
    }
    return loss;
  }

  private static double[] losses(
      AuditSubject subject, Plan plan, boolean present, boolean shared, int trials) {
    double[] losses = new double[trials];
    for (int i = 0; i < trials; i++) {
      losses[i] = loss(subject, plan, present, shared, i);
    }
    return losses;
  }

  /** The largest delta at epsilon that transcripts with and without the slot prove. */
  private static double proved(double[] in, double[] out, double epsilon, double chance) {
    int trials = in.length;
    double removed = lower(count(in, loss -> loss > epsilon), trials, chance)
        - Math.exp(epsilon) * upper(count(out, loss -> loss > epsilon), trials, chance);
    double added = lower(count(out, loss -> loss < -epsilon), trials, chance)
        - Math.exp(epsilon) * upper(count(in, loss -> loss < -epsilon), trials, chance);
    return Math.max(removed, added);
  }

  private static int count(double[] losses, DoublePredicate test) {
    return (int) java.util.Arrays.stream(losses).filter(test).count();
  }

  /** The largest p with P[X at least count] at most the chance. */
  private static double lower(int count, int trials, double chance) {
    double low = 0;
    double high = 1;
    while (high - low > 1e-9) {
      double middle = (low + high) / 2;
      if (count > 0 && TailProbability.binomial(count, trials, middle) <= chance) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static double upper(int count, int trials, double chance) {
    return 1 - lower(trials - count, trials, chance);
  }

  @Test
  void findsNoMoreInTheLearnerThanItsLedgerSays() {
    double[] in = losses(ProductLearner.AS_IT_IS, plan(0.01), true, false, FEW);
    double[] out = losses(ProductLearner.AS_IT_IS, plan(0.01), false, false, FEW);
    double epsilon = plan(0.01).guarantee(1).epsilon();
    assertThat(proved(in, out, epsilon, CHANCE)).isLessThanOrEqualTo(0.01);
  }

  /** And it is close: the same transcripts, taken as exact, show most of what the ledger says. */
  @Tag("long")
  @Test
  void findsInTheLearnerMostOfWhatItsLedgerSays() {
    double[] in = losses(ProductLearner.AS_IT_IS, plan(0.01), true, false, TRIALS);
    double[] out = losses(ProductLearner.AS_IT_IS, plan(0.01), false, false, TRIALS);
    for (double delta : new double[] {0.03, 0.01}) {
      double epsilon = plan(delta).guarantee(1).epsilon();
      assertThat(epsilon).isBetween(0.05, 1.5);
      assertThat(proved(in, out, epsilon, CHANCE)).isLessThanOrEqualTo(delta);
      assertThat(proved(in, out, epsilon, 0.5)).isGreaterThan(0.7 * delta);
    }
  }

  /** The twin: a learner whose points share a coin, under the ledger of coins apart. */
  @Test
  void provesMoreOfALearnerWhosePointsShareACoin() {
    AuditSubject broken = new FaultyBlockLearner(BlockFault.ONE_SUBSET);
    double[] in = losses(broken, plan(0.01), true, true, TRIALS);
    double[] out = losses(broken, plan(0.01), false, true, TRIALS);
    double epsilon = plan(0.01).guarantee(1).epsilon();
    assertThat(proved(in, out, epsilon, CHANCE)).isGreaterThan(2 * 0.01);
  }
}
