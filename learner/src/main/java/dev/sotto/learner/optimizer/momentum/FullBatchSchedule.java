package dev.sotto.learner.optimizer.momentum;

import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.mechanism.QuerySchedule.Segment;
import java.util.List;

/**
 * The numbers of the full-batch form: all queries of a block read all of its slots. The first one
 * asks for gradients, cut to C; later ones for {@code (1 - gamma) c_a(h(w) - h(w')) + gamma h(w)}
 * of the gradient h, cut to C, at this point and the one before, whose norm is at most {@code u =
 * (1 - gamma) a + gamma C}.
 *
 * <p>The first query takes the share b of the price, {@code mu^2}, and the E - 1 later ones the
 * rest: in units of the noise that one query alone would have at its own bound, the noise is 1 /
 * sqrt(b), and sqrt((E - 1) / (1 - b)).
 *
 * @param slots N of a block
 * @param queries E, at least 1
 * @param clip C
 * @param step eta, the length of a step
 * @param difference a: the norm to which a change of a gradient is cut
 * @param share gamma, above 0 and at most 1; 1 is plain normalised gradient descent
 */
public record FullBatchSchedule(
    long slots, long queries, double clip, double step, double difference, double share) {
  private static final double FIRST = 0.1;
  private static final int HALVINGS = 200;

  public FullBatchSchedule {
    if (slots < 1 || queries < 1) {
      throw new IllegalArgumentException(
          "slots and queries must be at least 1, but were " + slots + " and " + queries);
    }
    if (!(clip > 0) || !(step > 0) || !(difference > 0)) {
      throw new IllegalArgumentException("clip, step and difference must be positive, but were "
          + clip + ", " + step + " and " + difference);
    }
    if (!(share > 0 && share <= 1)) {
      throw new IllegalArgumentException(
          "the share of the fresh gradient must be above 0 and at most 1, but was " + share);
    }
  }

  /** Numbers of steps and their length, as {@link #plan} chooses them. */
  public record Steps(long queries, double step) {}

  /**
   * With a = L eta, as long as that is at most C, and gamma = a / C, which gives the smallest
   * noise.
   */
  public static FullBatchSchedule of(long slots, Steps steps, double smoothness, double clip) {
    double difference = Math.min(clip, smoothness * steps.step());
    return new FullBatchSchedule(
        slots, steps.queries(), clip, steps.step(), difference, difference / clip);
  }

  /**
   * Steps that minimise the bound {@code R / (eta E) + L eta / 2 + 2 sqrt(d) (kappa / (N mu))
   * sqrt(2 L eta C E)} of the mean gradient norm: {@code P = (R N mu / (kappa sqrt(2 d L
   * C)))^(2/3), eta = 2 R / (L P), E = L P^2 / (2 R)}, and where that takes more queries than
   * allowed, the best length for as many.
   *
   * @param most queries of a block
   */
  public static Steps plan(long slots, Landscape known, long most) {
    double path = path(slots, known);
    double queries = known.smoothness() * path * path / (2 * known.gap());
    if (queries <= most) {
      return new Steps(
          Math.max(1, Math.round(queries)), 2 * known.gap() / (known.smoothness() * path));
    }
    return new Steps(most, step(slots, known, most));
  }

  /** P: the length of the path; infinite without noise. */
  static double path(long slots, Landscape known) {
    double clip = known.clip();
    double noise = known.noiseNorm() / clip / slots * Math.sqrt(2 * known.smoothness() * clip);
    double root = StrictMath.cbrt(known.gap() / noise);
    return root * root;
  }

  /**
   * The length that minimises the bound for a number of queries: where {@code L eta^2 / 2 + c
   * eta^1.5 / 2 = R / E}, whose left side grows.
   */
  public static double step(long slots, Landscape known, long queries) {
    double smoothness = known.smoothness();
    double clip = known.clip();
    double noise =
        2 * known.noiseNorm() / clip / slots * Math.sqrt(2 * smoothness * clip * queries);
    double target = known.gap() / queries;
    double low = 0;
    double high = Math.sqrt(2 * target / smoothness); // without noise
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (low + high) / 2;
      double left = smoothness * middle * middle / 2 + noise * middle * Math.sqrt(middle) / 2;
      if (left < target) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  /** u: the norm of what an example adds to a later query. */
  public double bound() {
    return (1 - share) * difference + share * clip;
  }

  /** b: all queries are alike where no changes are asked for. */
  double first() {
    return share == 1 ? 1.0 / queries : Math.max(FIRST, 1.0 / queries);
  }

  /** Noise of the first query's sum, relative to {@code kappa C / mu}. */
  public double firstNoise() {
    return 1 / Math.sqrt(first());
  }

  /** Noise of a later query's sum, relative to {@code kappa u / mu}. */
  public double laterNoise() {
    return Math.sqrt((queries - 1) / (1 - first()));
  }

  /**
   * The queries of a block, where examples of later ones are scaled up to the clip of the first:
   * noise is relative to {@code kappa C / mu} in all of them.
   */
  public QuerySchedule schedule() {
    Segment first = Segment.whole(0, slots, 1, firstNoise());
    return new QuerySchedule(
        queries == 1
            ? List.of(first)
            : List.of(first, Segment.whole(0, slots, queries - 1, laterNoise())));
  }

  /** In one line, the same for equal schedules. */
  public String describe() {
    return "full-batch slots=" + slots + " queries=" + queries + " clip="
        + Double.toHexString(clip) + " step=" + Double.toHexString(step) + " difference="
        + Double.toHexString(difference) + " share=" + Double.toHexString(share);
  }
}
