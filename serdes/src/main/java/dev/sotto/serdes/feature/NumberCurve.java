package dev.sotto.serdes.feature;

import dev.sotto.learner.example.Hats;
import dev.sotto.learner.range.NumberForm;
import dev.sotto.learner.range.NumberRange;
import dev.sotto.learner.range.NumberRange.State;
import dev.sotto.learner.range.Octaves;
import dev.sotto.serdes.feature.FeatureMapBuilder.Numeric;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a number adds to a score, over its range and in its own units, before the vector is divided
 * by its norm. It follows from published weights and public settings alone.
 *
 * @param name of the feature
 * @param range what is known of its values
 * @param spread by how much the number can move a score inside its range; 0 where that is not known
 * @param points from the lower bound to the upper one, evenly spaced after the transform; of a
 *     number without bounds, over twice its range, evenly spaced by its place in that; none where
 *     no range is known
 */
public record NumberCurve(String name, Range range, double spread, List<Point> points) {
  /** What is known of where the values of a number are. */
  public enum Range {
    /** Bounds, or a measured range. */
    KNOWN,
    /** A measured range as narrow as that of a number which is always the same. */
    NARROW,
    /** Nothing: none was found, or none was sought. */
    UNKNOWN
  }

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
    for (int i = 0; i < map.unbounded().size(); i++) {
      String name = map.unbounded().get(i).name();
      Optional<NumberRange> range = Optional.ofNullable(map.ranges().get(name));
      curves.add(of(name, map.form(), range, weights, start + map.coordinateOfUnbounded(i)));
    }
    return curves;
  }

  private static NumberCurve of(
      String name, NumberForm form, Optional<NumberRange> found, double[] weights, int at) {
    if (found.filter(each -> each.state() == State.MEASURED).isEmpty()) {
      return new NumberCurve(name, Range.UNKNOWN, 0, List.of());
    }
    NumberRange range = found.get();
    List<Point> points = new ArrayList<>();
    for (int i = 0; i <= LEAST_POINTS; i++) {
      double x = range.at(2 * (2.0 * i / LEAST_POINTS - 1));
      double octaves = form.hasOctaves() ? Octaves.score(weights, at, x) : 0;
      points.add(new Point(x, octaves + form.score(weights, at, range, x)));
    }
    // From place -1 to 1, where most records are: beyond there is little but noise.
    double spread = spread(points.subList(LEAST_POINTS / 4, 3 * LEAST_POINTS / 4 + 1));
    return new NumberCurve(name, range.isNarrow() ? Range.NARROW : Range.KNOWN, spread, points);
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
    return new NumberCurve(number.name(), Range.KNOWN, spread(points), points);
  }

  private static double spread(List<Point> points) {
    double least = points.stream().mapToDouble(Point::score).min().orElseThrow();
    double most = points.stream().mapToDouble(Point::score).max().orElseThrow();
    return most - least;
  }
}
