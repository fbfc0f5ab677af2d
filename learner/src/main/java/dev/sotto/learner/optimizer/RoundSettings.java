package dev.sotto.learner.optimizer;

import dev.sotto.learner.loss.StepScale;
import java.util.function.LongFunction;

/** Settings of an optimizer of rounds under any noise of prefixes. */
public non-sealed interface RoundSettings extends OptimizerSettings {
  /**
   * The number of slots in a round that suits the algorithm where nobody chooses another.
   *
   * @param noise of the sums of gradients, which may depend on the size of a round
   * @throws dev.sotto.learner.settings.InvalidSettingException where too little is known
   */
  long batch(LearningProblem problem, LongFunction<PrefixNoise> noise);

  /** The l2 norm to which gradients are cut where nobody chooses another. */
  default double clip(StepScale known) {
    return known.clip();
  }

  /**
   * The optimizer.
   *
   * @throws dev.sotto.learner.settings.InvalidSettingException where settings do not suit the
   *     inputs
   */
  Optimizer create(RoundInputs inputs);
}
