package dev.sotto.learner.training;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.loss.SingleScore;
import dev.sotto.learner.release.ClippedSum;
import dev.sotto.learner.release.GradientSum;
import dev.sotto.learner.release.OpenSum;
import dev.sotto.learner.release.PathSum;

/**
 * How the examples of slots enter the exact sum of the open query; chosen once for a plan. It knows
 * nothing of noise. Not safe for use by several threads.
 */
interface SlotSums {
  /**
   * How a query begins.
   *
   * @param key in force
   * @param seed of its secret coins, or of the perturbations of its path; empty without
   * @param number in its round, from 1
   * @param slots that it reads
   * @param factor of its gradients, behind the cut
   */
  record Opening(NoiseKey key, byte[] seed, long number, long slots, double factor) {}

  /** Of a plan: along paths, at several points, or added up at one. */
  static SlotSums of(Plan plan, RoundMetrics metrics) {
    if (plan.paths().isPresent()) {
      return new PathSteps(PathSum.of(plan.lattice(), plan.paths().get(), plan.objective()));
    }
    if (plan.asksPools()) {
      return new PoolGradients(plan);
    }
    if (plan.countsNorms()) {
      ClippedSum sum = new ClippedSum(plan.lattice());
      return new NormCounting(plan.objective(), gradients(plan, metrics, sum), sum);
    }
    return gradients(plan, metrics, GradientSum.of(plan.lattice(), plan.block()));
  }

  private static SlotSums gradients(Plan plan, RoundMetrics metrics, GradientSum sum) {
    boolean scored = plan.objective() instanceof SingleScore;
    return scored && metrics.sum().isEmpty()
        ? new ScoreGradients(plan.loss(), sum)
        : new PassGradients(plan.objective(), metrics, sum);
  }

  /** The sum. */
  OpenSum sum();

  /** An empty query. */
  void open(GradientQuery query, Opening opening);

  /** The open query goes on under another key, with the slots that it has. */
  default void resume(Opening opening) {}

  /**
   * Fills a slot with an example.
   *
   * @param place in its round, from 0
   */
  void add(Example example, long place);

  /** Leaves large arrays to the next sums of this thread; no use afterwards. */
  void recycle();
}
