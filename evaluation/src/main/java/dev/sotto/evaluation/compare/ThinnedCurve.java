package dev.sotto.evaluation.compare;

import dev.sotto.replay.ProgressiveScores;
import java.util.ArrayList;
import java.util.List;

/**
 * A curve that drops every second point when it has too many. The points are equally spaced, at the
 * same numbers of examples in all runs over the same examples.
 */
final class ThinnedCurve {
  /** Examples between two points, before any is dropped. */
  static final long EVERY = 50;

  private static final int MOST = 600;
  private static final int RECENT = 20; // a twentieth

  private final List<ProgressiveScores.Point> kept = new ArrayList<>();
  private long stride = 1;
  private long seen;
  private ProgressiveScores.Point last;

  void add(ProgressiveScores.Point point) {
    last = point;
    if (++seen % stride == 0) {
      kept.add(point);
    }
    if (kept.size() > MOST) {
      for (int i = 0; 2 * i + 1 < kept.size(); i++) {
        kept.set(i, kept.get(2 * i + 1));
      }
      kept.subList(kept.size() / 2, kept.size()).clear();
      stride *= 2;
    }
  }

  /** The curve up to the end. */
  List<CurvePoint> curve() {
    List<ProgressiveScores.Point> points = new ArrayList<>(kept);
    if (last != null && (points.isEmpty() || points.get(points.size() - 1) != last)) {
      points.add(last);
    }
    long window = last == null ? 0 : (last.examples() + RECENT - 1) / RECENT;
    List<CurvePoint> curve = new ArrayList<>();
    int behind = -1; // the last point that lies a whole window back
    for (ProgressiveScores.Point point : points) {
      while (behind + 1 < points.size()
          && points.get(behind + 1).examples() <= point.examples() - window) {
        behind++;
      }
      curve.add(new CurvePoint(
          point.examples(),
          point.rounds(),
          point.epsilon(),
          point.loss(),
          since(behind < 0 ? null : points.get(behind), point),
          point.accuracy()));
    }
    return curve;
  }

  private static double since(ProgressiveScores.Point before, ProgressiveScores.Point now) {
    if (before == null) {
      return now.loss();
    }
    double sum = now.loss() * now.examples() - before.loss() * before.examples();
    return sum / (now.examples() - before.examples());
  }
}
