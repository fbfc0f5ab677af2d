package dev.sotto.learner.optimizer.resque.calls;

import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.optimizer.heavytail.Ball;
import dev.sotto.learner.optimizer.heavytail.BlockAlgorithm;
import dev.sotto.learner.optimizer.heavytail.BlockIterates;

/**
 * Accelerated proximal point steps, whose oracles are calls of private solvers over slots of their
 * own. Every noisy average of a phase, moved into the ball of its call, is where the next phase
 * begins. After the last round the iterate is published, and the next block begins there.
 *
 * @param schedule of calls
 * @param clip L
 * @param lambda of the regulariser, positive
 */
public record CallAlgorithm(CallSchedule schedule, double clip, double lambda)
    implements BlockAlgorithm {
  @Override
  public QuerySchedule queries() {
    return schedule.noise().schedule();
  }

  /** The ball around the origin in which centres lie. */
  Ball set() {
    return new Ball(null, schedule.noise().shape().domain() * clip);
  }

  /** r of the ball around a centre. */
  double radius() {
    return schedule.noise().reach() * clip;
  }

  @Override
  public String describe() {
    StringBuilder weights = new StringBuilder();
    for (CallSchedule.Call each : schedule.calls()) {
      weights.append(weights.length() == 0 ? "" : ",").append(each.weight());
    }
    return schedule.noise().parameters() + " lambda=" + Double.toHexString(lambda) + " weights="
        + weights + " " + set().describe();
  }

  @Override
  public BlockIterates start(double[] first) {
    double[] inside = first.clone();
    set().project(inside);
    CallIterates iterates = new CallIterates(inside, this);
    iterates.restart();
    return iterates;
  }

  @Override
  public BlockIterates resume(int dimension, double[] iterates) {
    return new CallIterates(new double[dimension], this).resume(iterates);
  }
}
