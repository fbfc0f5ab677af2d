package dev.sotto.learner.optimizer;

/** Settings of an optimizer of rounds under any noise of prefixes. */
public non-sealed interface RoundSettings extends OptimizerSettings {
  /**
   * The number of slots in a round that suits the algorithm where nobody chooses another.
   *
   * @throws dev.sotto.learner.settings.InvalidSettingException where too little is known
   */
  long batch(RoundInputs inputs);

  /**
   * The optimizer.
   *
   * @throws dev.sotto.learner.settings.InvalidSettingException where settings do not suit the
   *     inputs
   */
  Optimizer create(OptimizerInputs inputs);
}
