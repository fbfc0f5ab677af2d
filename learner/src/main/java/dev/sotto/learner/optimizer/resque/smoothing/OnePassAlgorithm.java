package dev.sotto.learner.optimizer.resque.smoothing;

import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.mechanism.PathNoise;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.optimizer.heavytail.Ball;
import dev.sotto.learner.optimizer.heavytail.BlockAlgorithm;
import dev.sotto.learner.optimizer.heavytail.BlockIterates;
import java.util.List;

/**
 * One pass over a block: the noisy average of a phase's points, moved into the ball, is where the
 * next phase begins; that of the last phase is published, and the next block begins there.
 *
 * @param noise with the phases
 * @param clip L
 */
public record OnePassAlgorithm(PathNoise noise, double clip) implements BlockAlgorithm {
  @Override
  public QuerySchedule queries() {
    return noise.schedule();
  }

  @Override
  public OnePassAlgorithm ofDimension(int dimension) {
    return new OnePassAlgorithm(noise.ofDimension(dimension), clip);
  }

  /** The ball around the origin that the path keeps to. */
  Ball set() {
    return new Ball(null, noise.reach() * clip);
  }

  @Override
  public List<String> advice(Objective objective) {
    return List.of("Each event is read once. With resque.form pool, which layout rounds has always,"
        + " blocks are read many times, and the guarantee rests on clipping and noise alone. Where"
        + " data drift, private-ftrl is the first choice.");
  }

  @Override
  public String describe() {
    return noise.parameters() + " " + set().describe();
  }

  @Override
  public BlockIterates start(double[] first) {
    double[] inside = first.clone();
    set().project(inside);
    OnePassIterates iterates = new OnePassIterates(inside, queries().queries(), set());
    iterates.restart();
    return iterates;
  }

  @Override
  public BlockIterates resume(int dimension, double[] iterates) {
    return new OnePassIterates(new double[dimension], queries().queries(), set()).resume(iterates);
  }
}
