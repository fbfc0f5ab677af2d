package dev.sotto.app.page;

import dev.sotto.app.view.LearnedShare;
import dev.sotto.app.view.ReliabilityBin;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.training.NoisyMetrics;
import dev.sotto.serdes.record.ModelMetrics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What has been published about one model: its cost by version, and its newest metrics. */
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

  /**
   * One window of private metrics; figures that the noise leaves undefined are null.
   *
   * @param lossError standard error of the loss
   * @param accuracyError that of the accuracy
   */
  record Window(
      long firstRound,
      long lastRound,
      Double loss,
      Double lossError,
      Double accuracy,
      Double accuracyError) {}

  /**
   * One bin of the newest reliability curve.
   *
   * @param from the smallest probability
   * @param to the largest
   * @param count noisy number of examples
   * @param meanLabel share of label 1; null where the noise leaves none
   * @param error its standard error
   */
  record Bin(double from, double to, double count, Double meanLabel, Double error) {}

  private final List<Point> points = new ArrayList<>();
  private final List<Window> windows = new ArrayList<>();
  private final List<NoisyMetrics> counted = new ArrayList<>(); // of the same windows
  private List<Bin> reliability = List.of();
  private NewestCurves.Of curves;
  private LedgerEntry newest;
  private long time;
  private int step = 1; // one of this number of versions is kept
  private long versions;

  void add(LedgerEntry entry, long committed) {
    if (newest != null && !Arrays.equals(newest.runId(), entry.runId())) {
      points.clear();
      windows.clear();
      counted.clear();
      reliability = List.of();
      curves = curves != null && curves.isOf(entry.runId()) ? curves : null;
      step = 1;
      versions = 0;
    }
    newest = entry;
    time = committed;
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
    NoisyMetrics noisy = window.noisy();
    windows.add(new Window(
        noisy.firstRound(),
        noisy.lastRound(),
        finite(noisy.meanLoss()),
        finite(noisy.meanLossError()),
        finite(noisy.accuracy()),
        finite(noisy.accuracyError())));
    counted.add(noisy);
    if (windows.size() > POINTS) {
      windows.remove(0);
      counted.remove(0);
    }
    reliability = ReliabilityBin.of(noisy).stream()
        .map(each -> new Bin(
            each.from(),
            each.to(),
            each.count(),
            finite(each.meanLabel()),
            finite(each.meanLabelError())))
        .toList();
  }

  void add(NewestCurves.Of newestCurves) {
    curves = newestCurves;
  }

  static Double finite(double value) {
    return Double.isFinite(value) ? value : null;
  }

  private Point point() {
    return new Point(newest.round(), newest.slots(), finite(newest.guarantee().epsilon()), time);
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

  List<Window> windows() {
    return List.copyOf(windows);
  }

  /** Which share of the slots of these windows was learned from, in words; null without any. */
  String learned() {
    return counted.isEmpty() ? null : LearnedShare.of(counted).text();
  }

  List<Bin> reliability() {
    return reliability;
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
