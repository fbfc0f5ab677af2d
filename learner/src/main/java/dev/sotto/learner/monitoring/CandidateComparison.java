package dev.sotto.learner.monitoring;

import dev.sotto.learner.training.NoisyMetrics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Which of several candidates predicts the same examples better, out of their published metrics.
 * What is compared at a round is the mean loss over the newest windows that all of them have,
 * {@link #WINDOWS} at most: the same slots for each.
 *
 * <p>At round R the bounds of each of n candidates hold with probability at least 1 - RATE / (n R
 * (R + 1)) ({@link LossBounds}), so that with probability at least 1 - RATE all bounds hold at all
 * rounds of a run at once, and whoever is called better has the lower expected loss over these
 * slots. To compare costs nothing: the metrics are paid for.
 */
public final class CandidateComparison {
  /** The probability that any comparison in the life of a run is wrong. */
  public static final double RATE = 0.01;

  /** Windows over which losses are compared. */
  public static final int WINDOWS = 64;

  private final boolean byLoss;
  private final Map<String, NavigableMap<Long, NoisyMetrics>> windows = new LinkedHashMap<>();

  /**
   * A comparison before the first window.
   *
   * @param candidates what they are called
   * @param byLoss whether all of them have the same loss; else the share of wrong predictions is
   *     what counts
   */
  public CandidateComparison(List<String> candidates, boolean byLoss) {
    this.byLoss = byLoss;
    candidates.forEach(each -> windows.put(each, new TreeMap<>()));
  }

  /** Takes a window of a candidate; of one that is not compared nothing. */
  public void accept(String candidate, NoisyMetrics window) {
    NavigableMap<Long, NoisyMetrics> known = windows.get(candidate);
    if (known != null) {
      known.put(window.lastRound(), window);
      if (known.size() > 2 * WINDOWS) { // some may lie behind the others
        known.pollFirstEntry();
      }
    }
  }

  /** Forgets the windows of a candidate: another run of it has begun. */
  public void restart(String candidate) {
    windows.get(candidate).clear();
  }

  /** The losses over the newest windows that all have; empty where there is none. */
  public Map<String, LossInterval> losses() {
    NavigableMap<Long, NoisyMetrics> common = null;
    for (NavigableMap<Long, NoisyMetrics> each : windows.values()) {
      if (common == null) {
        common = new TreeMap<>(each);
      } else {
        common.keySet().retainAll(each.keySet());
      }
    }
    while (common != null && common.size() > WINDOWS) {
      common.pollFirstEntry();
    }
    Map<String, LossInterval> all = new LinkedHashMap<>();
    if (common != null && !common.isEmpty()) {
      List<Long> rounds = List.copyOf(common.keySet());
      windows.forEach(
          (name, its) -> all.put(name, interval(rounds.stream().map(its::get).toList())));
    }
    return all;
  }

  /**
   * The candidate to take instead of another one: that of the lowest mean of those that are
   * certainly better; empty where none is.
   */
  public Optional<String> better(String than) {
    Map<String, LossInterval> all = losses();
    LossInterval present = all.get(than);
    return present == null ? Optional.empty() : lowest(all, each -> each.isBetterThan(present));
  }

  /**
   * The one of the lowest mean loss so far, be that chance or not; empty where nothing is known.
   */
  public Optional<String> lowest() {
    return lowest(losses(), each -> true);
  }

  private static Optional<String> lowest(
      Map<String, LossInterval> all, Predicate<LossInterval> which) {
    String best = null;
    for (Map.Entry<String, LossInterval> each : all.entrySet()) {
      LossInterval loss = each.getValue();
      boolean lower = best == null || loss.mean() < all.get(best).mean();
      if (!Double.isNaN(loss.mean()) && which.test(loss) && lower) {
        best = each.getKey();
      }
    }
    return Optional.ofNullable(best);
  }

  private LossInterval interval(List<NoisyMetrics> all) {
    LossBounds bounds = byLoss ? LossBounds.of(all) : LossBounds.ofErrors(all);
    long first = all.get(0).firstRound();
    double last = all.get(all.size() - 1).lastRound();
    double unit = byLoss ? all.get(0).lossBound() : 1;
    if (!bounds.isKnown()) {
      return new LossInterval(
          first, (long) last, Double.NEGATIVE_INFINITY, Double.NaN, Double.POSITIVE_INFINITY);
    }
    double radius = bounds.radius(RATE / 2 / (windows.size() * last * (last + 1)));
    return new LossInterval(
        first,
        (long) last,
        unit * (bounds.mean() - radius),
        unit * bounds.mean(),
        unit * (bounds.mean() + radius));
  }

  /** What is compared, as people call it. */
  public String measure() {
    return byLoss ? "loss" : "share of wrong predictions";
  }
}
