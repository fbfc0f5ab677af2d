package dev.sotto.learner.optimizer;

import dev.sotto.learner.loss.StepScale;
import dev.sotto.learner.settings.ConfigKey;

/** What is known of the loss under the labels and weights of a plan. */
@FunctionalInterface
public interface ScaleSource {
  /**
   * What is known, all of it.
   *
   * @param key the setting to change where that is too little
   * @param rule the beginning of a sentence about it, such as "must be given"
   * @throws dev.sotto.learner.settings.InvalidSettingException then
   */
  StepScale require(ConfigKey<?> key, String rule);
}
