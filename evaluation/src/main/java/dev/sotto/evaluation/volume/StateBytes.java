package dev.sotto.evaluation.volume;

import dev.sotto.learner.mechanism.NoiseStateSize;
import dev.sotto.learner.mechanism.OwnMechanism;
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
    boolean own = plan.hasOwnMechanism();
    long dimension = plan.dimension();
    long start = plan.optimizer().start(plan.start()).iterates().length;
    long later = plan.generations().kind() == GenerationSchedule.Kind.NONE ? 0 : dimension;
    boolean again = plan.learnsFromBlocks() && plan.optimizer().queries().readsAgain();
    return new StateBytes(
        own ? 0 : 16 * dimension,
        own ? ownNoise(plan, rounds) : NoiseStateSize.most(plan.mechanism(), dimension, rounds),
        Double.BYTES * (Math.max(start, later) + plan.lag() * dimension),
        plan.metrics() == null ? 0 : 16L * plan.metrics().figures(),
        again ? plan.batch() / Byte.SIZE + 1 : 0);
  }

  /** All of it. */
  long all() {
    return prefix + noise + iterates + window + refused;
  }

  /** As many nodes of a tree as queries have binary digits, open and complete. */
  private static long ownNoise(Plan plan, long rounds) {
    if (((OwnMechanism) plan.mechanism()).schedule() != null) {
      return 0; // every answer has noise of its own, and nothing is kept
    }
    long leaves = plan.learnsFromBlocks() ? plan.queriesPerRound() : rounds;
    return 2L * (Long.SIZE - Long.numberOfLeadingZeros(leaves)) * Double.BYTES * plan.dimension();
  }
}
