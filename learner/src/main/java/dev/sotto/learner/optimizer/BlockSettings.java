package dev.sotto.learner.optimizer;

/** Settings of an optimizer that comes with a mechanism, and so with a round size and a clip. */
public non-sealed interface BlockSettings extends OptimizerSettings {
  /**
   * Round size, clip, mechanism and optimizer.
   *
   * @throws dev.sotto.learner.settings.InvalidSettingException where too little is known
   */
  BlockDesign design(BlockInputs inputs);

  /**
   * Whether mu is not all that one participation in that mechanism costs, so that no unit can have
   * a budget of mu: it counts on slots being sampled, or delta pays for failures.
   */
  default boolean costsBesideMu() {
    return false;
  }
}
