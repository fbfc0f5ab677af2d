package dev.sotto.learner.optimizer.resque.smoothing;

import dev.sotto.learner.mechanism.PathNoise;
import dev.sotto.learner.mechanism.PathNoise.Phase;
import dev.sotto.learner.optimizer.resque.PoolSize;
import java.util.ArrayList;
import java.util.List;

/**
 * The numbers of one pass over smoothed losses (the localisation of Theorem 4 without subproblems):
 * phase i steps once over n / 2^i fresh slots with a quarter of the step before, and publishes the
 * average of its points with noise.
 */
public final class OnePassSchedule {
  /** Phases of fewer slots move the weights by nearly nothing. */
  private static final long LEAST = 64;

  private OnePassSchedule() {}

  /**
   * The usual rho, {@code R / sqrt(n)}: it raises the loss by {@code L rho sqrt(2 / pi)} at most,
   * which is no more than what n slots leave open anyway.
   */
  public static double smoothing(long slots, double radius) {
    return radius / Math.sqrt(slots);
  }

  /**
   * The phases of a block, the first with the slots that no other has, and their noise.
   *
   * @param size with a distance R and a clip that is the largest norm L of a gradient. Its noise is
   *     kappa / mu, kappa being 2 where contents are replaced, and 1 where they become null slots
   * @param rho of the convolution
   */
  public static PathNoise of(PoolSize size, double rho) {
    long slots = size.slots();
    double reach = size.distance() / size.clip();
    double step =
        reach * Math.min(1 / Math.sqrt(slots), 1 / (size.noise() * Math.sqrt(size.dimension())));
    long first = slots;
    List<Phase> later = new ArrayList<>();
    double next = step / 4;
    for (long each = slots / 4; each >= LEAST; each /= 2, next /= 4) {
      later.add(new Phase(each, next));
      first -= each;
    }
    List<Phase> all = new ArrayList<>();
    all.add(new Phase(first, step));
    all.addAll(later);
    return new PathNoise(size.dimension(), reach, rho, all);
  }
}
