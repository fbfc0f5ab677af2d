package dev.sotto.learner.optimizer.resque.calls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.optimizer.resque.AbsoluteData;
import dev.sotto.learner.optimizer.resque.PoolSize;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.TestPlans;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Ordered calls on the data of acceptance check 15 (docs/experiments/resque.md, "Ordered calls").
 * Seeds are fixed: a false alarm is impossible.
 */
class CalledEndToEndTest {
  private static final int D = 20;
  private static final double MU = 0.236704; // epsilon 1 at delta 1e-6

  /** The excess loss of one block, over fresh records. */
  private static double excess(int slots, double mu, double failure, double rho) {
    CallSize size = new CallSize(new PoolSize(slots, D, 1, 1, 2 / mu), 64, rho, 20, 0.1, failure);
    assertThat(CallRegime.reasons(size)).isEmpty();
    CallSchedule calls = CallSchedule.of(size);
    Plan plan = TestPlans.plan(b -> {
      b.dimension = D;
      b.loss = Losses.ABSOLUTE.make();
      b.mechanism = calls.noise();
      b.optimizer = new CallAlgorithm(calls, 1, size.pull() / calls.noise().reach());
      b.batch = calls.slots();
      b.sigma = 2 / mu;
      b.adjacency = Adjacency.REPLACE_ONE;
    });
    ModelLearner learner = ModelLearner.start(plan, NoiseKey.of(new byte[32]), "model", "run");
    AbsoluteData data = new AbsoluteData(slots, D, 11);
    Slot slot = new Slot(D);
    boolean full = false;
    for (int i = 0; i < calls.slots(); i++) {
      slot.clear();
      System.arraycopy(data.features[i], 0, slot.example().dense(), 0, D);
      slot.example().label(data.labels[i]);
      slot.status(RecordStatus.USED);
      full = learner.fill(slot);
    }
    assertThat(full).isTrue();
    AbsoluteData fresh = new AbsoluteData(20_000, D, 1234);
    return fresh.loss(learner.close().weights()) - fresh.loss(AbsoluteData.best(D));
  }

  /** Zero weights have an excess of 0.085; one pass has 0.00016 at this size and epsilon 1. */
  @Tag("long")
  @Test
  void learnsWhereNoiseIsLow() {
    assertThat(excess(65_536, 3, 1e-15, 0.05)).isBetween(0.02, 0.065);
    // With the noise of epsilon 1 these slots say next to nothing: one pass is far better.
    assertThat(excess(65_536, MU, 2.7e-9, 0.05)).isBetween(0.06, 0.12);
  }

  @Test
  @Tag("long")
  void learnsFromAMillionSlots() {
    assertThat(excess(1 << 20, MU, 2.7e-9, 0.1)).isBetween(0.002, 0.02);
  }
}
