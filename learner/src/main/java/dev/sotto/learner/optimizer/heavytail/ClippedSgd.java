package dev.sotto.learner.optimizer.heavytail;

import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.optimizer.BlockIterates;
import java.util.Arrays;

/**
 * One-pass projected gradient descent for smooth and strongly convex losses, with a weighted
 * average (Algorithm 6). With the noisy mean g of batch t at w, and c the point at which the block
 * began:
 *
 * <pre>
 * w = Proj(w - eta_t (g + lambda (w - c)))
 * published after the last batch: sum_t weight_t w_(t+1) / sum_t weight_t
 * </pre>
 *
 * <p>The term of lambda is no gradient of a record: it is added after the noise.
 *
 * @param schedule public numbers; its curvature counts lambda
 * @param regularization lambda, at least 0
 * @param set where the weights may lie
 * @param groups of a batch's slots, odd: g is the median of their means; 1 for the mean of all
 */
public record ClippedSgd(SgdSchedule schedule, double regularization, Ball set, int groups)
    implements ClippedAlgorithm {
  /** With means of whole batches. */
  public ClippedSgd(SgdSchedule schedule, double regularization, Ball set) {
    this(schedule, regularization, set, 1);
  }

  @Override
  public QuerySchedule queries() {
    return QuerySchedule.onePass(schedule.last() + 1, schedule.batch()).inGroups(groups);
  }

  @Override
  public double clip() {
    return schedule.clip();
  }

  @Override
  public double tail(BlockSize size) {
    return ClipRules.tail(size, schedule.last());
  }

  @Override
  public String describe() {
    return "last=" + schedule.last() + " batch=" + schedule.batch() + " smoothness="
        + Double.toHexString(schedule.curvature().smoothness()) + " convexity="
        + Double.toHexString(schedule.curvature().convexity()) + " regularization="
        + Double.toHexString(regularization) + " " + set.describe();
  }

  @Override
  public void project(double[] weights) {
    set.project(weights);
  }

  @Override
  public BlockIterates iterates(double[] published) {
    return new Iterates(published);
  }

  private final class Iterates extends BlockIterates {
    private final double[] w;
    private final double[] sum;
    private double weights;

    Iterates(double[] published) {
      super(published, queries());
      w = new double[published.length];
      sum = new double[published.length];
    }

    @Override
    protected void begin() {
      split(published, w);
      Arrays.fill(sum, 0);
      weights = 0;
    }

    @Override
    public double[] point() {
      return w;
    }

    @Override
    protected void step(long asked, double[] mean) {
      long t = asked - 1;
      double eta = schedule.eta(t);
      for (int i = 0; i < w.length; i++) {
        w[i] -= eta * (mean[i] + regularization * (w[i] - published[i]));
      }
      set.project(w);
      double weight = schedule.weight(t);
      weights += weight;
      for (int i = 0; i < w.length; i++) {
        sum[i] += weight * w[i];
      }
    }

    @Override
    protected void result(double[] into) {
      for (int i = 0; i < into.length; i++) {
        into[i] = sum[i] / weights;
      }
    }

    @Override
    protected double[] own() {
      double[] all = Arrays.copyOf(join(w, sum), 2 * w.length + 1);
      all[2 * w.length] = weights;
      return all;
    }

    @Override
    protected void take(double[] own) {
      split(own, w, sum);
      weights = own[2 * w.length];
    }
  }
}
