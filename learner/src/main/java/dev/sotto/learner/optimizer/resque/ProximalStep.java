package dev.sotto.learner.optimizer.resque;

/** The step that {@link WeightedSgd} and {@link EpochSgd} share. */
public final class ProximalStep {
  private ProximalStep() {}

  /**
   * {@code u = (u - eta w(u) G) / (1 + eta lambda)}: the minimum of the linearised loss, of the
   * regulariser around the centre and of the distance moved, before it is projected. Exact, as
   * both squares are isotropic.
   */
  public static void take(Pool pool, int entry, double eta, double lambda, double[] u) {
    pool.add(entry, u, -eta, u);
    double shrink = 1 / (1 + eta * lambda);
    for (int i = 0; i < u.length; i++) {
      u[i] *= shrink;
    }
  }
}
