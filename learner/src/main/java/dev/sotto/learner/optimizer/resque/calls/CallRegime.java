package dev.sotto.learner.optimizer.resque.calls;

import dev.sotto.learner.mechanism.CallNoise;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Whether calls are where their guarantee says something, beside what it needs of the loss. Since
 * every slot is taken once, and none by chance, neither T / n nor an order of divergences is
 * bounded.
 */
public final class CallRegime {
  /** Noise of calls with a larger c drowns what they learn. */
  public static final double MOST_CONSTANT = 10;

  /** Each is a release of its own, and part of what a block is set up with. */
  private static final long MOST_QUERIES = 1 << 15;

  /** Of the gap of a strongly convex call, in units of L^2 / lambda, as the proof gives it. */
  private static final double STRONGLY_CONVEX = 8192;

  private CallRegime() {}

  /**
   * Slots of a block from which Theorem 3 promises an accuracy, where every call takes slots of its
   * own, with a constant of 1 and charging the calls of the ball optimiser only.
   *
   * @param kappa L R / accuracy, above 1
   * @param ratio rho / r
   * @param beta mu / c
   */
  public static double provedSlots(double kappa, int dimension, double ratio, double beta) {
    double root = StrictMath.cbrt(kappa * Math.sqrt(dimension) * ratio);
    double scale = root * root;
    double log = StrictMath.log(kappa);
    // lambda r / L; the gap of a call must be at most lambda r^2 / log^3(kappa)
    double pull = Math.sqrt(scale) * log * log / kappa;
    double gap = pull * pull / (STRONGLY_CONVEX * log * log * log);
    double queries = Math.max(Math.sqrt(2 * dimension / gap) / beta, 2 / gap);
    return scale * log * queries;
  }

  /** Each precondition that fails, with its value and its bound; empty where none does. */
  public static List<String> reasons(CallSize size) {
    List<String> reasons = new ArrayList<>();
    if (!(size.ratio() >= CallNoise.LEAST_RATIO)) {
      reasons.add(text(
          "rho / r is %.4g, but must be at least %.4g: nearer to 1, weights vary so much that two"
              + " runs part",
          size.ratio(), CallNoise.LEAST_RATIO));
    }
    long least = CallSchedule.leastSlots(size);
    long slots = size.block().slots();
    if (slots < least) {
      reasons.add(text(
          "n is %d, but must be at least %d, so that each call of %d rounds makes a step (T at"
              + " least 2)",
          slots, least, size.rounds()));
    }
    if (!reasons.isEmpty()) {
      return reasons;
    }
    try {
      CallNoise noise = CallSchedule.of(size).noise();
      if (noise.queries() > MOST_QUERIES) {
        reasons.add(text(
            "the phases of a block are %d, but must be at most %d: choose fewer rounds or slots",
            noise.queries(), MOST_QUERIES));
      }
      double constant = noise.worstConstant();
      if (!(constant <= MOST_CONSTANT)) {
        reasons.add(text(
            "c is %.4g at a failure of %.3g, but must be at most %.4g: rho / r must be larger than"
                + " %.4g",
            constant, size.failure(), MOST_CONSTANT, size.ratio()));
      }
    } catch (IllegalArgumentException impossible) {
      reasons.add(impossible.getMessage());
    }
    return reasons;
  }

  private static String text(String format, Object... numbers) {
    return String.format(Locale.ROOT, format, numbers);
  }
}
