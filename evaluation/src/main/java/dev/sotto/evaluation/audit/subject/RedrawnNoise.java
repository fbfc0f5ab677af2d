package dev.sotto.evaluation.audit.subject;

import dev.sotto.learner.key.KeyedNoise;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.training.Plan;
import java.util.Optional;

/**
 * The noise of a run of the audit, drawn a second time: it follows from the key, which is the
 * audit's own, and the running digest. What is left of an answer without it is exact. Nothing else
 * outside of the learner draws noise.
 */
final class RedrawnNoise {
  private static final String PURPOSE = "path-average";

  private RedrawnNoise() {}

  /**
   * The average of a phase without its noise; empty where there are no paths.
   *
   * @param mean the noisy average
   * @param digest behind its release
   */
  static Optional<double[]> exact(
      Plan plan, NoiseKey key, byte[] digest, long phase, double[] mean) {
    return plan.paths().map(path -> {
      double deviation = plan.sigma() * path.noise(phase);
      double finest = Math.min(deviation * 0x1p-20, path.coarsest(phase, plan.clip()));
      double unit = StrictMath.scalb(1.0, Math.getExponent(finest));
      long[] drawn = new long[mean.length];
      new KeyedNoise(key, deviation / unit).add(digest, PURPOSE, phase, 1, drawn);
      double[] exact = new double[mean.length];
      for (int i = 0; i < exact.length; i++) {
        exact[i] = (mean[i] / unit - drawn[i]) * unit;
      }
      return exact;
    });
  }
}
