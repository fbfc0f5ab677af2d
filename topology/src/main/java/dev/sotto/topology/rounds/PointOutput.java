package dev.sotto.topology.rounds;

/**
 * Where rounds are opened; committed together with the state of the round that led to them, or not
 * at all.
 */
public interface PointOutput {
  /**
   * Tells every worker that a round may be summed.
   *
   * @param keyId name of its noise key
   * @param point at which its gradients are taken; not to be kept
   */
  void open(long round, String keyId, double[] point);
}
