package dev.sotto.topology.rounds;

import dev.sotto.learner.training.GradientQuery;

/**
 * Where rounds are opened; committed together with the state of the round that led to them, or not
 * at all.
 */
public interface PointOutput {
  /**
   * Tells every worker that a round may be summed.
   *
   * @param query of the round; its points are not to be kept
   * @param keyId name of its noise key
   */
  void open(GradientQuery query, String keyId);
}
