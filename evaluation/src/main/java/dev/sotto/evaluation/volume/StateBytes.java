package dev.sotto.evaluation.volume;

import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.training.Plan;

/**
 * Bytes of a model's state, array by array, at most. What a mechanism keeps is measured on a few
 * coordinates of its own noise.
 *
 * @param prefix noisy sums
 * @param noise what the mechanism keeps
 * @param iterates what the algorithm keeps
 * @param window of metrics
 * @param refused a bit for each slot that a block reads again
 */
record StateBytes(long prefix, long noise, long iterates, long window, long refused) {
  /** Of a plan after a number of rounds, at most. */
  static StateBytes of(Plan plan, long rounds) {
    long dimension = plan.dimension();
    long start = plan.optimizer().start(plan.start()).iterates().length;
    long later = plan.generations().kind() == GenerationSchedule.Kind.NONE ? 0 : dimension;
    boolean again = plan.block().readsAgain();
    return new StateBytes(
        plan.mechanism().sumBytes(dimension),
        plan.mechanism().stateBytes(dimension, rounds),
        Double.BYTES * (Math.max(start, later) + plan.lag() * dimension),
        plan.metrics() == null ? 0 : 16L * plan.metrics().figures(),
        again ? plan.batch() / Byte.SIZE + 1 : 0);
  }

  /** All of it. */
  long all() {
    return prefix + noise + iterates + window + refused;
  }
}
