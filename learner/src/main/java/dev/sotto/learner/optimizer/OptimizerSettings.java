package dev.sotto.learner.optimizer;

/**
 * The settings of one optimizer: checked by themselves, and yet to be completed by the size of the
 * model and its noise.
 */
public interface OptimizerSettings {
  /**
   * The optimizer.
   *
   * @throws dev.sotto.learner.settings.InvalidSettingException where settings do not suit the
   *     inputs
   */
  Optimizer create(OptimizerInputs inputs);

  /**
   * The number of slots in a round that suits the algorithm where nobody chooses another.
   *
   * @throws dev.sotto.learner.settings.InvalidSettingException where too little is known
   */
  long batch(RoundInputs inputs);
}
