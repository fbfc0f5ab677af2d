package dev.sotto.learner.training;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.key.SlotCoins;
import dev.sotto.learner.loss.Loss;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.loss.SingleScore;
import dev.sotto.learner.release.ClippedSum;
import dev.sotto.learner.release.OpenSum;
import java.util.Arrays;

/**
 * Adds the gradients of examples at the points of a {@link PoolQuery}: at all of them, or at those
 * that secret coins choose. Not safe for use by several threads.
 */
final class PoolGradients implements SlotSums {
  private final Loss loss; // of the one score; null where there are several
  private final Objective.Pass pass;
  private final double[] outer;
  private final double[] tail;
  private final ClippedSum sum;
  private final int[] chosen;
  private PoolQuery query;
  private SlotCoins coins; // null where every slot takes part at every point

  PoolGradients(Plan plan) {
    Objective objective = plan.objective();
    int points = plan.block().sampling().points();
    this.loss = objective instanceof SingleScore single ? single.loss() : null;
    this.pass = objective.pass();
    this.outer = new double[objective.rows()];
    this.tail = new double[objective.tail()];
    this.sum = ClippedSum.atPoints(plan.lattice(), points);
    this.chosen = new int[points];
  }

  @Override
  public OpenSum sum() {
    return sum;
  }

  @Override
  public void open(GradientQuery next, Opening opening) {
    sum.open(opening.slots());
    query = next.pool();
    begin(opening.key());
  }

  @Override
  public void resume(Opening opening) {
    begin(opening.key());
  }

  private void begin(NoiseKey key) {
    coins = query.samples()
        ? new SlotCoins(key, query.seed(), query.points().length, query.rate())
        : null;
    for (int i = 0; i < chosen.length; i++) {
      chosen[i] = i;
    }
  }

  @Override
  public void recycle() {
    sum.recycle();
  }

  @Override
  public void add(Example example, long slot) {
    sum.addNothing();
    if (!query.answers()) {
      return;
    }
    int count = coins == null ? chosen.length : coins.draw(slot, chosen);
    double label = example.label();
    double weight = example.weight();
    for (int i = 0; i < count; i++) {
      double[] point = query.points()[chosen[i]];
      if (loss != null) {
        sum.addAt(chosen[i], example, loss.slope(example.dot(point), label) * weight);
      } else {
        Arrays.fill(outer, 0);
        Arrays.fill(tail, 0);
        pass.forward(example, point);
        pass.backward(label, weight, outer, tail);
        sum.addAt(chosen[i], example, outer, tail);
      }
    }
  }
}
