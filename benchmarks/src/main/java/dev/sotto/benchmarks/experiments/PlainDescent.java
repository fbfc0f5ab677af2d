package dev.sotto.benchmarks.experiments;

import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.optimizer.BlockAlgorithm;
import dev.sotto.learner.optimizer.BlockIterates;
import dev.sotto.learner.optimizer.heavytail.Ball;
import java.util.Arrays;

/**
 * Projected descent along noisy means, one point a query: what pools are compared with. The average
 * that is published weighs step t with t.
 *
 * @param queries of one point each
 * @param step constant
 */
record PlainDescent(QuerySchedule queries, double clip, double step, Ball set)
    implements BlockAlgorithm {
  @Override
  public String describe() {
    return "plain descent, step " + step + " " + set.describe();
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
    private final double[] x;
    private final double[] average;
    private double weights;

    Iterates(double[] published) {
      super(published, queries);
      x = new double[published.length];
      average = new double[published.length];
    }

    @Override
    public double[] point() {
      return x;
    }

    @Override
    protected void begin() {
      split(published, x);
      Arrays.fill(average, 0);
      weights = 0;
    }

    @Override
    protected void step(long asked, double[] mean) {
      for (int i = 0; i < x.length; i++) {
        x[i] -= step * mean[i];
      }
      set.project(x);
      weights += asked;
      for (int i = 0; i < x.length; i++) {
        average[i] += asked / weights * (x[i] - average[i]);
      }
    }

    @Override
    protected void result(double[] into) {
      split(average, into);
    }

    @Override
    protected double[] own() {
      double[] all = Arrays.copyOf(join(x, average), 2 * x.length + 1);
      all[2 * x.length] = weights;
      return all;
    }

    @Override
    protected void take(double[] own) {
      split(own, x, average);
      weights = own[2 * x.length];
    }
  }
}
