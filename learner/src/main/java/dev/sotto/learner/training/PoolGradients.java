package dev.sotto.learner.training;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.key.SlotCoins;
import dev.sotto.learner.loss.Loss;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.loss.SingleScore;
import dev.sotto.learner.release.ClippedSum;
import java.util.Arrays;

/**
 * Adds the gradients of examples at the points of a {@link PoolQuery}: at all of them, or at those
 * that secret coins choose. Not safe for use by several threads.
 */
final class PoolGradients {
  private final Loss loss; // of the one score; null where there are several
  private final Objective.Pass pass;
  private final double[] outer;
  private final double[] tail;
  private final ClippedSum sum;
  private final int[] chosen;
  private PoolQuery query;
  private SlotCoins coins; // null where every slot takes part at every point

  PoolGradients(Objective objective, ClippedSum sum, int points) {
    this.loss = objective instanceof SingleScore single ? single.loss() : null;
    this.pass = objective.pass();
    this.outer = new double[objective.rows()];
    this.tail = new double[objective.tail()];
    this.sum = sum;
    this.chosen = new int[points];
  }

  void begin(PoolQuery next, NoiseKey key) {
    query = next;
    coins =
        next.samples() ? new SlotCoins(key, next.seed(), next.points().length, next.rate()) : null;
    for (int i = 0; i < chosen.length; i++) {
      chosen[i] = i;
    }
  }

  /**
   * Adds what an example says, to a slot that is filled already.
   *
   * @param slot its place in the block
   */
  void add(Example example, long slot) {
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
