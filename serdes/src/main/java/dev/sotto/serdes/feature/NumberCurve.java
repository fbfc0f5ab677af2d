package dev.sotto.serdes.feature;

import dev.sotto.serdes.feature.FeatureMapBuilder.Numeric;
import java.util.ArrayList;
import java.util.List;

/**
 * What a number adds to a score, over its range and in its own units, before the vector is divided
 * by its norm. It follows from published weights and public settings alone.
 *
 * @param name of the feature
 * @param points from the lower bound to the upper one, evenly spaced after the transform
 */
public record NumberCurve(String name, List<Point> points) {
  /** The norm of the hats that a number adds to a vector. */
  public static final double HAT_NORM = Hats.WEIGHT;

  private static final int LEAST_POINTS = 32;

  /**
   * A point of a curve.
   *
   * @param value of the number
   * @param score what it adds there
   */
  public record Point(double value, double score) {}

  public NumberCurve {
    points = List.copyOf(points);
  }

  /**
   * The curves of all numbers of a map.
   *
   * @param weights of a model
   * @param start of the row of weights, one a coordinate of the map
   */
  public static List<NumberCurve> of(FeatureMapText map, double[] weights, int start) {
    List<NumberCurve> curves = new ArrayList<>();
    List<Numeric> numbers = map.numbers();
    for (int i = 0; i < numbers.size(); i++) {
      int at = start + map.coordinateOfNumber(i);
      curves.add(of(numbers.get(i), map.hatFunctions(), weights, at));
    }
    return curves;
  }

  private static NumberCurve of(Numeric number, Hats hats, double[] weights, int at) {
    double low = number.transform().of(number.min());
    double width = number.transform().of(number.max()) - low;
    int intervals = Math.max(1, hats.intervals());
    int last = intervals * ((LEAST_POINTS - 1) / intervals + 1); // so each knot is one
    List<Point> points = new ArrayList<>();
    for (int i = 0; i <= last; i++) {
      double share = (double) i / last;
      double z = 2 * share - 1;
      points.add(new Point(
          number.transform().inverse(low + share * width),
          weights[at] * z + hats.score(weights, at + 1, z)));
    }
    return new NumberCurve(number.name(), points);
  }

  /** By how much the number can move a score. */
  public double spread() {
    double least = points.stream().mapToDouble(Point::score).min().orElseThrow();
    double most = points.stream().mapToDouble(Point::score).max().orElseThrow();
    return most - least;
  }
}
