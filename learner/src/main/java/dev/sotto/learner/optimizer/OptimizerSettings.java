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
  default Optimizer create(OptimizerInputs inputs) {
    throw new IllegalStateException("its design has the optimizer");
  }

  /**
   * Whether it comes with a mechanism of its own, and so with a round size and a clip: then {@link
   * #design} is asked, and {@link #batch} is not.
   */
  default boolean hasOwnMechanism() {
    return false;
  }

  /**
   * Whether mu is not all that one participation in that mechanism costs, so that no unit can have a
   * budget of mu: it counts on slots being sampled, or delta pays for failures.
   */
  default boolean costsBesideMu() {
    return false;
  }

  /**
   * Round size, clip and mechanism of an algorithm that {@link #hasOwnMechanism}.
   *
   * @throws dev.sotto.learner.settings.InvalidSettingException where too little is known
   */
  default BlockDesign design(BlockInputs inputs) {
    throw new IllegalStateException("it has no mechanism of its own");
  }

  /**
   * The number of slots in a round that suits the algorithm where nobody chooses another.
   *
   * @throws dev.sotto.learner.settings.InvalidSettingException where too little is known
   */
  default long batch(RoundInputs inputs) {
    throw new IllegalStateException("its design has the number of slots");
  }
}
