package dev.sotto.learner.training;

import dev.sotto.learner.optimizer.OptimizerState;

/** The queries of blocks: each is asked where the answers before it have led. */
final class BlockQueries implements AskedQueries {
  private final Plan plan;
  private final OptimizerState state;
  private GradientQuery open;

  BlockQueries(Plan plan, OptimizerState state) {
    this.plan = plan;
    this.state = state;
  }

  @Override
  public GradientQuery open(long number, byte[] seed) {
    open = GradientQuery.ofBlock(
        plan, number, state.gradientFactor(), state.point(), state.earlier(), seed);
    return open;
  }

  @Override
  public GradientQuery of(long number) {
    if (number != open.round()) {
      throw new IllegalArgumentException(
          "query " + open.round() + " is open, but was asked for " + number);
    }
    return open;
  }

  @Override
  public void closed() {}

  @Override
  public double[] after(double[] iterates) {
    return iterates;
  }

  @Override
  public void recycle() {}
}
