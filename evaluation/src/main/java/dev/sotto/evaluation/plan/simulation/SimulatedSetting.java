package dev.sotto.evaluation.plan.simulation;

import dev.sotto.learner.training.Plan;

/**
 * What is varied.
 *
 * @param batch slots in a round
 * @param stepFactor multiplies the plan's steps
 * @param clip bound of one gradient
 */
public record SimulatedSetting(long batch, double stepFactor, double clip) {
  /** The plan as it stands. */
  static SimulatedSetting of(Plan plan) {
    return new SimulatedSetting(plan.batch(), 1, plan.clip());
  }
}
