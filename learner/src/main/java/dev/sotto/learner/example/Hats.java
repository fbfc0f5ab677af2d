package dev.sotto.learner.example;

/**
 * Hat functions at evenly spaced knots, each with a coordinate of its own: a linear model of them
 * is a curve, one weight a knot. Of a number between two knots only the hats of these two are not
 * 0: at a fraction r of the way they are {@link #WEIGHT} (1 - r) / m and {@link #WEIGHT} r / m with
 * m = sqrt((1 - r)^2 + r^2), so that every number adds a vector of the same norm.
 */
public final class Hats {
  /** The norm of what a number adds. */
  public static final double WEIGHT = 0.5;

  private final double from;
  private final double to;
  private final int intervals;
  private final double perUnit; // intervals

  /**
   * Hats at evenly spaced knots.
   *
   * @param from the first knot
   * @param to the last knot, above it
   * @param intervals between knots, of which there is one more; 0 where there are no hats
   */
  public Hats(double from, double to, int intervals) {
    this.from = from;
    this.to = to;
    this.intervals = intervals;
    this.perUnit = intervals / (to - from);
  }

  /** The hats of a number that is brought to -1 to 1 by its bounds. */
  public static Hats ofBounds(int intervals) {
    return new Hats(-1, 1, intervals);
  }

  /** How many intervals lie between the knots; 0 where there are no hats. */
  public int intervals() {
    return intervals;
  }

  /** The number of knots, and so of coordinates. */
  public int knots() {
    return intervals == 0 ? 0 : intervals + 1;
  }

  /** The place of a knot. */
  public double knot(int number) {
    return from + number * (to - from) / intervals;
  }

  /**
   * Adds the two hats of a number, behind all coordinates below them.
   *
   * @param first the coordinate of the first knot
   * @param z from the first knot to the last
   */
  public void add(Example example, int first, double z) {
    if (intervals == 0) {
      return;
    }
    double position = position(z);
    int lower = lower(position);
    double r = position - lower;
    double scale = scale(r);
    int knot = first + lower;
    if (r > 0 && r < 1) {
      example.appendPair(knot, scale * (1 - r), scale * r);
    } else if (r < 1) {
      example.append(knot, scale * (1 - r));
    } else if (r > 0) {
      example.append(knot + 1, scale * r);
    }
  }

  private double position(double z) {
    return (z - from) * perUnit;
  }

  private int lower(double position) {
    return Math.min((int) position, intervals - 1);
  }

  private static double scale(double r) {
    return WEIGHT / Math.sqrt((1 - r) * (1 - r) + r * r);
  }

  /**
   * The inner product of a number's hats with weights.
   *
   * @param first where the weights of the first knot stand
   * @param z from the first knot to the last
   */
  public double score(double[] weights, int first, double z) {
    if (intervals == 0) {
      return 0;
    }
    double position = position(z);
    int lower = lower(position);
    double r = position - lower;
    return scale(r) * ((1 - r) * weights[first + lower] + r * weights[first + lower + 1]);
  }
}
