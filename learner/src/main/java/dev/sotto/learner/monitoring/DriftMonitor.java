package dev.sotto.learner.monitoring;

import dev.sotto.learner.training.NoisyMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongToDoubleFunction;

/**
 * Finds out from the published metrics of one run whether its loss has risen: a sequential test
 * over an endless stream.
 *
 * <p>After each window the mean loss of the last w windows is compared with that of the r windows
 * before them, for w of 1, 2, 4, up to 32 and r of 1, 2, 4, up to 64. It is an alarm if the lower
 * bound of the one is above the upper bound of the other ({@link LossBounds}) by more than
 * {@link #TOLERANCE} of the loss bound.
 *
 * <p><b>False alarms.</b> As long as the expected loss of an example, given all before it, is at no
 * time more than the tolerance above what it was for any earlier example, the probability that
 * there is <em>ever</em> an alarm in the life of a run is at most {@link #RATE}. Proof: under that
 * condition an alarm needs a bound that fails. After the window that ends with round R there are 48
 * bounds (6 lower ones, 6 times 7 upper ones), and each fails with probability RATE / (48 R (R +
 * 1)) at most. Windows end with different rounds, so all of them add up to at most RATE sum 1 / (R
 * (R + 1)) = RATE. Which rounds are in a window, and what was compared before, plays no part; so
 * does a restart, for which windows before the last 96 are not needed.
 *
 * <p>An alarm lasts while a comparison shows the rise: where the loss falls again, until the newest
 * 32 windows hold little of it, else for about 64 windows; then the new loss is what is usual. Not
 * safe for use by several threads.
 */
public final class DriftMonitor {
  /** The probability of ever giving a false alarm in the life of a run. */
  public static final double RATE = 0.01;

  /** What the loss may rise without an alarm, as a share of the loss bound. */
  public static final double TOLERANCE = 0.02;

  private static final int NEWEST = 32;
  private static final int BEFORE = 64;
  private static final int BOUNDS = 6 + 6 * 7;

  private final LongToDoubleFunction failure;
  private final List<LossBounds> windows = new ArrayList<>();
  private Optional<Drift> drift = Optional.empty();

  /** A monitor of one run, before its first window. */
  public DriftMonitor() {
    this(round -> RATE / BOUNDS / ((double) round * (round + 1.0)));
  }

  /**
   * A monitor with bounds of one's own.
   *
   * @param failure the probability with which a bound may fail after a round
   */
  DriftMonitor(LongToDoubleFunction failure) {
    this.failure = failure;
  }

  /** Takes the next window of the run; windows come in the order of their rounds. */
  public void accept(NoisyMetrics window) {
    windows.add(LossBounds.of(window));
    if (windows.size() > NEWEST + BEFORE) {
      windows.remove(0);
    }
    double allowed = failure.applyAsDouble(window.lastRound());
    Comparison closest = closest(allowed);
    if (closest == null) {
      drift = Optional.empty();
      return;
    }
    OptionalLong since = OptionalLong.empty();
    if (closest.rise > closest.threshold) {
      OptionalLong before = drift.map(Drift::since).orElse(OptionalLong.empty());
      since = before.isPresent() ? before : OptionalLong.of(window.firstRound());
    }
    double unit = window.lossBound();
    drift = Optional.of(
        new Drift(window.lastRound(), closest.rise * unit, closest.threshold * unit, since));
  }

  private record Comparison(double rise, double threshold) {
    double margin() {
      return rise - threshold;
    }
  }

  /** The comparison that is nearest to an alarm; null where there is none yet. */
  private Comparison closest(double allowed) {
    Comparison closest = null;
    int end = windows.size();
    LossBounds newest = LossBounds.NONE;
    int taken = 0;
    for (int recent = 1; recent <= NEWEST && recent < end; recent *= 2) {
      for (; taken < recent; taken++) {
        newest = newest.plus(windows.get(end - 1 - taken));
      }
      LossBounds before = LossBounds.NONE;
      int added = 0;
      for (int reference = 1; reference <= BEFORE && recent + reference <= end; reference *= 2) {
        for (; added < reference; added++) {
          before = before.plus(windows.get(end - 1 - recent - added));
        }
        if (newest.isKnown() && before.isKnown()) {
          Comparison next = new Comparison(
              newest.mean() - before.mean(),
              TOLERANCE + newest.radius(allowed) + before.radius(allowed));
          closest = closest == null || next.margin() > closest.margin() ? next : closest;
        }
      }
    }
    return closest;
  }

  /** How it is as of the last window; empty before there is anything to compare. */
  public Optional<Drift> drift() {
    return drift;
  }
}
