package dev.sotto.app.page;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.serdes.record.ModelMetrics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What has been published about one model: its cost by version, and its metrics. */
final class ModelHistory {
  /** No more points of cost than this: of twice as many every other one is dropped. */
  static final int POINTS = 240;

  private static final long RATE_MILLIS = 60_000;

  private static final int PATIENCE = 3; // times as long as the last version took

  /**
   * The cost of one version.
   *
   * @param round the version
   * @param slots that it has taken so far
   * @param epsilon spent so far; null where nothing is promised
   * @param time when it was committed, in milliseconds since 1970
   */
  record Point(long round, long slots, Double epsilon, long time) {}

  private final List<Point> points = new ArrayList<>();
  private final Map<Integer, Long> covered = new HashMap<>();
  private final LossHistory losses;
  private NewestCurves.Of curves;
  private LedgerEntry newest;
  private long time;
  private int step = 1; // one of this number of versions is kept
  private long versions;

  /**
   * Without anything.
   *
   * @param hasLogLoss whether its loss is that of a probability of two classes
   */
  ModelHistory(boolean hasLogLoss) {
    this.losses = new LossHistory(hasLogLoss);
  }

  /** Notes up to where an entry reaches. */
  static void cover(Map<Integer, Long> covered, LedgerEntry entry) {
    entry.ranges().forEach(each -> covered.merge(each.partition(), each.to(), Math::max));
  }

  void add(LedgerEntry entry, long committed) {
    if (newest != null && !Arrays.equals(newest.runId(), entry.runId())) {
      points.clear();
      covered.clear();
      losses.clear();
      curves = curves != null && curves.isOf(entry.runId()) ? curves : null;
      step = 1;
      versions = 0;
    }
    newest = entry;
    time = committed;
    cover(covered, entry);
    if (versions++ % step != 0) {
      return;
    }
    points.add(point());
    if (points.size() > 2 * POINTS) {
      for (int i = points.size() - 1; i > 0; i -= 2) {
        points.remove(i - i % 2 == i ? i - 1 : i);
      }
      step *= 2;
    }
  }

  void add(ModelMetrics window) {
    losses.add(window.noisy());
  }

  void add(NewestCurves.Of newestCurves) {
    curves = newestCurves;
  }

  private static Double finite(double value) {
    return Double.isFinite(value) ? value : null;
  }

  private Point point() {
    return new Point(newest.round(), newest.slots(), finite(newest.guarantee().epsilon()), time);
  }

  /** Up to which offset of each partition its versions reach. */
  Map<Integer, Long> covered() {
    return covered;
  }

  LedgerEntry newest() {
    return newest;
  }

  long time() {
    return time;
  }

  /** By version, oldest first, with the newest one. */
  List<Point> points() {
    List<Point> all = new ArrayList<>(points);
    if (all.isEmpty() || all.get(all.size() - 1).round() < newest.round()) {
      all.add(point());
    }
    return all;
  }

  LossHistory losses() {
    return losses;
  }

  /** What numbers add to the scores of a version; null where nobody knows. */
  NewestCurves.Of curves() {
    return curves;
  }

  /**
   * Slots of versions a second, from a version that is at least a minute old until now: it falls
   * while none comes, and is 0 once that takes much longer than versions took. Null of one version.
   */
  Double perSecond(long now) {
    List<Point> all = points();
    Point last = all.get(all.size() - 1);
    if (all.size() < 2) {
      return null;
    }
    long took = last.time() - all.get(all.size() - 2).time();
    if (now - last.time() > Math.max(RATE_MILLIS, PATIENCE * took)) {
      return 0.0;
    }
    int from = all.size() - 2;
    while (from > 0 && now - all.get(from).time() < RATE_MILLIS) {
      from--;
    }
    long millis = Math.max(now, last.time()) - all.get(from).time();
    return millis > 0 ? 1000.0 * (last.slots() - all.get(from).slots()) / millis : null;
  }
}
