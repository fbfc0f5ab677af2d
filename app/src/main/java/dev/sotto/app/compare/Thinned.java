package dev.sotto.app.compare;

import dev.sotto.replay.Progressive;
import java.util.ArrayList;
import java.util.List;

/**
 * A curve of which every second point is dropped whenever there are too many: at the end they lie evenly, at the same
 * numbers of examples in all runs over the same examples.
 */
final class Thinned {
  /** Examples between two points, before any is dropped. */
  static final long EVERY = 50;

  private static final int MOST = 600;
  private static final int RECENT = 20; // a twentieth

  private final List<Progressive.Point> kept = new ArrayList<>();
  private long stride = 1;
  private long seen;
  private Progressive.Point last;

  void add(Progressive.Point point) {
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
    List<Progressive.Point> points = new ArrayList<>(kept);
    if (last != null && (points.isEmpty() || points.get(points.size() - 1) != last)) {
      points.add(last);
    }
    long window = last == null ? 0 : (last.examples() + RECENT - 1) / RECENT;
    List<CurvePoint> curve = new ArrayList<>();
    int behind = -1; // the last point that lies a whole window back
    for (Progressive.Point point : points) {
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

  private static double since(Progressive.Point before, Progressive.Point now) {
    if (before == null) {
      return now.loss();
    }
    double sum = now.loss() * now.examples() - before.loss() * before.examples();
    return sum / (now.examples() - before.examples());
  }
}
