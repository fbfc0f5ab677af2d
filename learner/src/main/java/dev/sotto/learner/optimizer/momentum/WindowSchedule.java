package dev.sotto.learner.optimizer.momentum;

import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.mechanism.WindowTree;
import java.util.List;

/**
 * The numbers of the window form: passes over the batches of a block in one order. The first pass
 * asks for gradients h, cut to C; later ones for {@code (1 - gamma) c_a(h(w_t) - h(w_{t-n})) +
 * gamma h(w_t)}, w_{t-n} being where the same batch was asked one pass before, of norm {@code u =
 * (1 - gamma) a + gamma C} at most.
 *
 * @param slots of a block, a multiple of the batches
 * @param batches n of a pass
 * @param passes E, at least 2
 * @param clip C
 * @param step eta, the length of a step
 * @param share gamma, above 0 and at most 1
 */
public record WindowSchedule(
    long slots, int batches, long passes, double clip, double step, double share) {
  private static final double FIRST = 0.1;

  public WindowSchedule {
    if (!(clip > 0) || !(step > 0) || !(share > 0 && share <= 1)) {
      throw new IllegalArgumentException("clip and step must be positive and the share above 0 and"
          + " at most 1, but were " + clip + ", " + step + " and " + share);
    }
  }

  /** With a = L eta n as long as that is at most C, and gamma = a / C. */
  public static WindowSchedule of(
      long slots, int batches, long passes, Landscape known, double step) {
    double difference = Math.min(known.clip(), known.smoothness() * step * batches);
    return new WindowSchedule(
        slots, batches, passes, known.clip(), step, difference / known.clip());
  }

  /** a: the norm to which a change of a gradient is cut; gamma C. */
  public double difference() {
    return share * clip;
  }

  /** u: the norm of what an example adds to a later query. */
  public double bound() {
    return (1 - share) * difference() + share * clip;
  }

  /** Its noise. */
  public WindowTree tree() {
    return new WindowTree(batches, passes, Math.max(FIRST, 1.0 / passes));
  }

  /** The queries of a block. */
  public QuerySchedule schedule() {
    return new QuerySchedule(List.of(new QuerySchedule.Segment(0, slots, batches, 1, passes, 1)));
  }

  /** In one line, the same for equal schedules. */
  public String describe() {
    return "window slots=" + slots + " batches=" + batches + " passes=" + passes + " clip="
        + Double.toHexString(clip) + " step=" + Double.toHexString(step) + " share="
        + Double.toHexString(share);
  }
}
