package dev.sotto.learner.optimizer.heavytail;

import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.optimizer.BlockIterates;

/**
 * One-pass proximal gradient descent (Algorithm 8): with the noisy mean g of a batch at w,
 * {@code w = prox(w - eta g)}; the last point is published. The proximal map depends on no record.
 *
 * @param schedule public numbers
 * @param map of the term that is added to the loss; its ridge is centered where the block began
 */
public record ProxClippedSgd(ProxSchedule schedule, ProximalMap map) implements ClippedAlgorithm {
  @Override
  public QuerySchedule queries() {
    return QuerySchedule.onePass(schedule.steps(), schedule.batch());
  }

  @Override
  public double clip() {
    return schedule.clip();
  }

  @Override
  public double tail(BlockSize size) {
    return ClipRules.proximalTail(size, schedule.steps());
  }

  @Override
  public String describe() {
    return "steps=" + schedule.steps() + " batch=" + schedule.batch() + " eta="
        + Double.toHexString(schedule.eta()) + " " + map.describe();
  }

  @Override
  public void project(double[] weights) {
    new ProximalMap(0, 0, map.limit()).apply(weights, 1, weights);
  }

  @Override
  public BlockIterates iterates(double[] published) {
    return new Iterates(published);
  }

  private final class Iterates extends BlockIterates {
    private final double[] w;

    Iterates(double[] published) {
      super(published, queries());
      w = new double[published.length];
    }

    @Override
    protected void begin() {
      split(published, w);
    }

    @Override
    public double[] point() {
      return w;
    }

    @Override
    protected void step(long asked, double[] mean) {
      for (int i = 0; i < w.length; i++) {
        w[i] -= schedule.eta() * mean[i];
      }
      map.apply(w, schedule.eta(), published);
    }

    @Override
    protected void result(double[] into) {
      split(w, into);
    }

    @Override
    protected double[] own() {
      return w.clone();
    }

    @Override
    protected void take(double[] own) {
      split(own, w);
    }
  }
}
