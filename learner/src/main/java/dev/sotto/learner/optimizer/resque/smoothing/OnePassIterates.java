package dev.sotto.learner.optimizer.resque.smoothing;

import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.optimizer.BlockIterates;
import dev.sotto.learner.optimizer.heavytail.Ball;

/** The way of one model through {@link OnePassAlgorithm}. */
final class OnePassIterates extends BlockIterates {
  private final Ball set;
  private final double[] point;

  OnePassIterates(double[] published, QuerySchedule queries, Ball set) {
    super(published, queries);
    this.set = set;
    this.point = new double[published.length];
  }

  @Override
  public double[] point() {
    return point;
  }

  @Override
  protected void begin() {
    System.arraycopy(published, 0, point, 0, point.length);
  }

  @Override
  protected void step(long asked, double[] average) {
    set.project(average);
    System.arraycopy(average, 0, point, 0, point.length);
  }

  @Override
  protected void result(double[] into) {
    System.arraycopy(point, 0, into, 0, into.length);
  }

  @Override
  protected double[] own() {
    return point.clone();
  }

  @Override
  protected void take(double[] own) {
    System.arraycopy(own, 0, point, 0, point.length);
  }
}
