package dev.sotto.app.view;

import dev.sotto.serdes.feature.NumberCurve;
import dev.sotto.serdes.feature.NumberCurve.Point;
import dev.sotto.serdes.feature.NumberCurve.Range;
import dev.sotto.serdes.snapshot.PublishedModel;
import dev.sotto.serdes.snapshot.WeightNames;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * What numbers add to the scores of a version, over their ranges, before vectors are divided by
 * their norm: those that move a score most come first. Behind them come numbers that hardly vary,
 * whose curves are a part of the bias, and numbers of which no range is known.
 */
public final class ScoreCurves {
  private static final int HEIGHT = 5;
  private static final int MARGIN = 12;

  /**
   * One curve.
   *
   * @param feature its name
   * @param score the class whose score it is; null where there is one score
   * @param range what is known of its values
   * @param spread by how much it can move that score inside its range
   * @param points none where no range is known
   */
  public record Curve(
      String feature, String score, Range range, double spread, List<Point> points) {
    /** Whether it has a range in which its values are known to differ. */
    public boolean varies() {
      return range == Range.KNOWN;
    }

    String title() {
      return score == null ? feature : score + ": " + feature;
    }

    /** What it is of, and by how much it moves the score. */
    String words() {
      return title() + " (" + number(spread) + ")";
    }
  }

  private ScoreCurves() {}

  /** All curves of a version; none where its manifest does not tell its features. */
  public static List<Curve> of(PublishedModel model) {
    WeightNames names = WeightNames.of(model.manifest());
    List<Curve> all = new ArrayList<>();
    for (int row = 0; row < names.rows(); row++) {
      String score = names.rows() == 1 ? null : names.row(row);
      for (NumberCurve each : names.curves(model.weights(), row)) {
        all.add(new Curve(each.name(), score, each.range(), each.spread(), each.points()));
      }
    }
    all.sort(Comparator.comparing(Curve::range)
        .thenComparing(Comparator.comparingDouble(Curve::spread).reversed()));
    return all;
  }

  /** Plots of the first curves, in plain characters, and how many there are beside them. */
  public static List<String> lines(List<Curve> curves, int most) {
    List<String> lines = plots(curves, most);
    if (most < curves.size()) {
      lines.add("... " + (curves.size() - most) + " curves more: --weights");
    }
    return lines;
  }

  /** Plots of the first curves alone. */
  public static List<String> plots(List<Curve> curves, int most) {
    List<String> lines = new ArrayList<>();
    for (Curve each : curves.subList(0, Math.min(most, curves.size()))) {
      plot(each, lines);
    }
    return lines;
  }

  private static void plot(Curve curve, List<String> lines) {
    List<Point> points = curve.points();
    if (points.isEmpty()) {
      lines.add("curve " + curve.title() + ": no range is known");
      return;
    }
    double least = points.stream().mapToDouble(Point::score).min().orElseThrow();
    double height = points.stream().mapToDouble(Point::score).max().orElseThrow() - least;
    lines.add("curve " + curve.title() + ": "
        + (curve.varies() ? "" : "nearly constant, ")
        + "moves the score by " + number(curve.spread()));
    int[] rows =
        points.stream().mapToInt(each -> row(each.score() - least, height)).toArray();
    for (int row = HEIGHT - 1; row >= 0; row--) {
      boolean named = row == HEIGHT - 1 || row == 0;
      String side = named ? number(least + height * row / (HEIGHT - 1)) : "";
      StringBuilder line = new StringBuilder(String.format("%" + MARGIN + "s |", side));
      for (int each : rows) {
        line.append(each == row ? '*' : ' ');
      }
      lines.add(line.toString().stripTrailing());
    }
    String first = number(points.get(0).value());
    String last = number(points.get(points.size() - 1).value());
    int width = Math.max(1, points.size() - first.length());
    lines.add(" ".repeat(MARGIN + 2) + first + String.format("%" + width + "s", last));
  }

  private static int row(double above, double height) {
    return height > 0 ? (int) Math.round(above / height * (HEIGHT - 1)) : 0;
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.4g", value);
  }
}
