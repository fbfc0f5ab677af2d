package dev.sotto.app.view;

import dev.sotto.learner.training.NoisyMetrics;
import java.util.List;
import java.util.Locale;

/**
 * Which share of the slots of some windows was learned from, out of private metrics: what a unit
 * may give no more, and what cannot be read, fills its slot with nothing.
 *
 * @param share between 0 and 1, but for the noise
 * @param error its standard error from the noise
 * @param slots of these windows
 */
public record LearnedShare(double share, double error, long slots) {
  private static final double HARDLY = 0.02;

  /** Of some windows, at least one. */
  public static LearnedShare of(List<NoisyMetrics> windows) {
    double count = 0;
    double squares = 0;
    long slots = 0;
    for (NoisyMetrics each : windows) {
      count += each.count();
      squares += each.countError() * each.countError();
      slots += each.slots();
    }
    return new LearnedShare(count / slots, Math.sqrt(squares) / slots, slots);
  }

  /** Whether next to nobody contributes any more, as far as the noise lets one say. */
  public boolean isHardlyAny() {
    return share + 2 * error < HARDLY;
  }

  /** In one line. */
  public String text() {
    return String.format(
        Locale.ROOT,
        "learned from: %.1f %% +- %.1f %% of %,d slots%s",
        100 * Math.max(0, Math.min(1, share)),
        100 * error,
        slots,
        isHardlyAny() ? "; LEARNING HAS ENDED: next to no unit may still give" : "");
  }
}
