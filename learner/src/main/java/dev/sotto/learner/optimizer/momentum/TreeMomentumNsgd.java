package dev.sotto.learner.optimizer.momentum;

import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.optimizer.AdviceInputs;
import dev.sotto.learner.optimizer.Optimizer;
import dev.sotto.learner.optimizer.OptimizerState;
import dev.sotto.learner.release.NoisySum;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Normalised gradient descent along a decayed sum of gradients, whose noise comes from a tree over
 * the rounds or over the queries of a block: {@code w <- w - eta m / |m|}, {@code m = sum over t of
 * beta^(now - t) g_t}. Tran, Cutkosky, "Momentum Aggregation for Private Non-convex ERM", Algorithm
 * 1, and docs/momentum.md. The weight alpha of a gradient does not matter to a step of fixed
 * length.
 *
 * @param step eta, positive and finite
 * @param beta decay of the sum
 * @param block its queries; empty where each round is one leaf of an endless tree
 */
public record TreeMomentumNsgd(double step, double beta, Optional<QuerySchedule> block)
    implements Optimizer {
  /** Along an endless tree. */
  public TreeMomentumNsgd(double step, double beta) {
    this(step, beta, Optional.empty());
  }

  /** Over the queries of a block. */
  public TreeMomentumNsgd(double step, double beta, QuerySchedule queries) {
    this(step, beta, Optional.of(queries));
  }

  public TreeMomentumNsgd {
    if (!(step > 0) || step == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("step must be positive and finite, but was " + step);
    }
    if (!(beta >= 0 && beta < 1)) {
      throw new IllegalArgumentException("beta must be at least 0 and below 1, but was " + beta);
    }
  }

  @Override
  public List<String> advice(AdviceInputs of) {
    return of.needNotBeConvex();
  }

  @Override
  public String describe() {
    return "step=" + Double.toHexString(step) + " beta=" + Double.toHexString(beta)
        + block.map(queries -> " queries=" + queries.describe()).orElse("");
  }

  @Override
  public OptimizerState start(double[] first) {
    return new Path(first.clone(), null, 0);
  }

  @Override
  public OptimizerState resume(int dimension, double[] iterates, NoisySum latest) {
    boolean carries = iterates.length == 2 * dimension + 1;
    if (iterates.length != dimension + 1 && !carries) {
      throw new IllegalArgumentException("the algorithm keeps " + (dimension + 1) + " or "
          + (2 * dimension + 1) + " numbers for " + dimension + " weights, but there were "
          + iterates.length);
    }
    return new Path(
        Arrays.copyOfRange(iterates, 1, dimension + 1),
        carries ? Arrays.copyOfRange(iterates, dimension + 1, iterates.length) : null,
        (long) iterates[0]);
  }

  private final class Path implements OptimizerState {
    private final double[] weights;
    private final double[] sum;
    private double[] carry; // the noisy sum of the tree before; null without one
    private long answers; // answers of this block, or of this tree

    Path(double[] weights, double[] carry, long answers) {
      this.weights = weights;
      this.sum = new double[weights.length];
      this.carry = carry;
      this.answers = answers;
    }

    @Override
    public double[] weights() {
      return weights;
    }

    @Override
    public long query() {
      return block.isEmpty() ? 1 : answers + 1;
    }

    @Override
    public void tell(NoisySum answer) {
      answer.mean(sum);
      answers++;
      if (carry != null) {
        double decay = StrictMath.pow(beta, answers);
        for (int i = 0; i < sum.length; i++) {
          sum[i] += decay * carry[i];
        }
      }
      NormalizedStep.take(weights, sum, step);
      if (block.isPresent() && answers == block.get().queries()) {
        answers = 0;
      }
    }

    /** The noisy sum so far is a constant for the next tree: nothing exact is carried over. */
    @Override
    public void restart() {
      if (block.isEmpty()) {
        carry = sum.clone();
      }
      answers = 0;
    }

    @Override
    public double[] iterates() {
      int dimension = weights.length;
      double[] all = new double[carry == null ? dimension + 1 : 2 * dimension + 1];
      all[0] = answers;
      System.arraycopy(weights, 0, all, 1, dimension);
      if (carry != null) {
        System.arraycopy(carry, 0, all, dimension + 1, dimension);
      }
      return all;
    }
  }
}
