package dev.sotto.app.plan.simulation;

import dev.sotto.learner.round.Plan;

/**
 * What is varied.
 *
 * @param batch slots in a round
 * @param stepFactor multiplies the plan's steps
 * @param clip bound of one gradient
 */
public record Setting(long batch, double stepFactor, double clip) {
  /** The plan as it stands. */
  static Setting of(Plan plan) {
    return new Setting(plan.batch(), 1, plan.clip());
  }
}
