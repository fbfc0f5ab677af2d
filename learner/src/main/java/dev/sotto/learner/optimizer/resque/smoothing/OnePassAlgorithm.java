package dev.sotto.learner.optimizer.resque.smoothing;

import java.util.Optional;
import dev.sotto.learner.mechanism.PathNoise;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.optimizer.AdviceInputs;
import dev.sotto.learner.optimizer.BlockAlgorithm;
import dev.sotto.learner.optimizer.BlockIterates;
import dev.sotto.learner.optimizer.heavytail.Ball;
import dev.sotto.learner.optimizer.resque.ResqueAdvice;
import java.util.List;

/**
 * One pass over a block: the noisy average of a phase's points, moved into the ball, is where the
 * next phase begins; that of the last phase is published, and the next block begins there.
 *
 * @param noise with the phases
 * @param clip L
 * @param reason why one pass was chosen; empty where somebody chose it by name
 */
public record OnePassAlgorithm(PathNoise noise, double clip, String reason)
    implements BlockAlgorithm {
  @Override
  public QuerySchedule queries() {
    return noise.schedule();
  }

  @Override
  public OnePassAlgorithm ofDimension(int dimension) {
    return new OnePassAlgorithm(noise.ofDimension(dimension), clip, reason);
  }

  /** The ball around the origin that the path keeps to. */
  Ball set() {
    return new Ball(null, noise.reach() * clip);
  }

  @Override
  public Optional<String> hindersParts() {
    return Optional.of("which takes slots in their order, and has no sums of parts");
  }

  @Override
  public List<String> advice(AdviceInputs of) {
    return ResqueAdvice.ordered(of, reason);
  }

  @Override
  public String describe() {
    return noise.parameters() + " " + set().describe();
  }

  @Override
  public void project(double[] weights) {
    set().project(weights);
  }

  @Override
  public BlockIterates iterates(double[] published) {
    return new OnePassIterates(published, queries(), set());
  }
}
