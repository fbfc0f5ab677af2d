package dev.sotto.learner.example;

import java.util.Arrays;

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
    if (r < 1) {
      example.append(first + lower, scale * (1 - r));
    }
    if (r > 0) {
      example.append(first + lower + 1, scale * r);
    }
  }

  /** Numbers, each with the coordinate of its own before those of its hats. A buffer. */
  public static final class Numbers {
    private int count;
    private int[] coordinates = new int[8];
    private double[] places = new double[8];
    private double[] knots = new double[8]; // below each
    private double[] lower = new double[8]; // the hats there
    private double[] upper = new double[8]; // and at the knots above

    /** An empty buffer. */
    public Numbers() {}

    public void clear() {
      count = 0;
    }

    /** Takes one more number, at a coordinate behind those of the one before. */
    public void add(int coordinate, double z) {
      if (count == places.length) {
        coordinates = Arrays.copyOf(coordinates, 2 * count);
        places = Arrays.copyOf(places, 2 * count);
        knots = new double[2 * count];
        lower = new double[2 * count];
        upper = new double[2 * count];
      }
      coordinates[count] = coordinate;
      places[count++] = z;
    }
  }

  /**
   * Adds numbers and their hats, behind all coordinates below them.
   *
   * @param example a sparse one, to which entries have only been appended
   * @param numbers from the first knot to the last
   */
  public void add(Example example, Numbers numbers) {
    shape(numbers.places, numbers.count, numbers.knots, numbers.lower, numbers.upper);
    example.makeRoom(3 * numbers.count);
    int[] indices = example.indices();
    double[] values = example.values();
    int begin = example.size();
    int at = begin;
    for (int i = 0; i < numbers.count; i++) {
      int coordinate = numbers.coordinates[i];
      int knot = coordinate + 1 + (int) numbers.knots[i];
      indices[at] = coordinate;
      values[at++] = numbers.places[i];
      if (numbers.lower[i] > 0) {
        indices[at] = knot;
        values[at++] = numbers.lower[i];
      }
      if (numbers.upper[i] > 0) {
        indices[at] = knot + 1;
        values[at++] = numbers.upper[i];
      }
    }
    if (!example.extend(at - begin)) {
      throw new IllegalStateException("numbers must stand after all coordinates below them");
    }
  }

  /** What {@link #add(Example, int, double)} computes, in a loop that compilers can vectorise. */
  private void shape(double[] z, int count, double[] knots, double[] lower, double[] upper) {
    double last = intervals - 1;
    for (int i = 0; i < count; i++) {
      double position = position(z[i]);
      double knot = Math.min(Math.floor(position), last);
      double r = position - knot;
      double scale = scale(r);
      knots[i] = knot;
      lower[i] = scale * (1 - r);
      upper[i] = scale * r;
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
