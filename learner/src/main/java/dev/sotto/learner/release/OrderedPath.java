package dev.sotto.learner.release;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.Vectors;
import dev.sotto.learner.loss.MonotoneSlope;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.mechanism.PathNoise;
import java.util.Arrays;

/**
 * The path of one phase of {@link PathNoise} through its slots, and the sum of the points before
 * each step. Whatever the slots hold, every step is one that the mechanism's guarantee speaks of:
 *
 * <pre>
 * score   s = &lt;a, y>
 * slope   c = weight * c(s), cut to magnitude L / ||a||           never falls, and ||c a|| &lt;= L
 * step    eta = min(step, 2 / (curvature * weight * ||a||^2),     non-expansive
 *                   64 step L / (lipschitz * weight * ||a||))     so that c is exact enough
 * y       Proj(y - eta c a)
 * </pre>
 *
 * <p>eta and what cuts the slope follow from the slot and public numbers alone, never from y. A slot
 * does not move y, as a null slot would not, where ||a|| is not between 2^-400 and 2^400, the
 * weight not above 0 and at most 2^200, or the label not finite.
 *
 * <p>A step takes time for all weights, of a sparse example too: all of them are averaged and
 * projected.
 */
public final class OrderedPath extends OpenSum {
  /** Gradients are cut at most by this factor at full step; beyond, the step shrinks. */
  private static final double CUT_AT_FULL_STEP = 64;

  private static final long CLOSED = -1;
  private static final double SMALLEST = 0x1p-400;
  private static final double LARGEST = 0x1p400;
  private static final double LARGEST_WEIGHT = 0x1p200;

  private final Lattice lattice;
  private final PathNoise mechanism;
  private final MonotoneSlope slope;
  private final int dimension;
  private final double radius;
  private final double inside;
  private final double[] numbers; // the point, then the sum of the points before it
  private final double[] start;
  private long query; // 0 before it is opened
  private double step;
  private long room = CLOSED;
  private long slots;

  /**
   * A path that is yet to be opened.
   *
   * @param lattice whose clip bounds gradients
   * @param mechanism with {@link dev.sotto.learner.mechanism.OwnMechanism#isOrdered}
   * @throws IllegalArgumentException with the rule, where the guarantee would not hold
   */
  public OrderedPath(Lattice lattice, Mechanism mechanism, Objective objective) {
    if (!(mechanism instanceof PathNoise noise)) {
      throw new IllegalArgumentException(
          mechanism.name() + " adds up sums, and has no noise for paths");
    }
    this.slope = MonotoneSlope.of(objective)
        .orElseThrow(() -> new IllegalArgumentException("the loss must be one of "
            + MonotoneSlope.names() + " with mechanism " + PathNoise.NAME
            + ", whose guarantee rests on their convexity and smoothness"));
    if (noise.dimension() != lattice.dimension()) {
      throw new IllegalArgumentException("there must be as many weights as " + PathNoise.NAME
          + " has, " + noise.dimension() + ", but were " + lattice.dimension());
    }
    double clip = lattice.clip();
    if (!(clip >= 0x1p-200 && clip <= 0x1p200 && noise.reach() * clip <= 0x1p200)) {
      throw new IllegalArgumentException("clip must be between 2^-200 and 2^200, and the radius at"
          + " most 2^200, but were " + clip + " and " + noise.reach() * clip);
    }
    this.lattice = lattice;
    this.mechanism = noise;
    this.dimension = lattice.dimension();
    this.radius = noise.reach() * clip;
    this.inside = clip * (1 - 0x1p-29); // the norm, the quotient and the products are rounded
    this.numbers = new double[Math.multiplyExact(2, dimension)];
    this.start = new double[dimension];
  }

  /**
   * Begins the path of a query.
   *
   * @param number of the query in its block, from 1
   * @param from public; moved into the ball
   * @throws IllegalStateException where slots have been filled already
   */
  public void open(long number, double[] from) {
    if (slots > 0) {
      throw new IllegalStateException("a path of " + slots + " slots has not been released");
    }
    room = mechanism.schedule().query(number).slots();
    step = mechanism.step(number);
    query = number;
    System.arraycopy(from, 0, numbers, 0, dimension);
    project();
    System.arraycopy(numbers, 0, start, 0, dimension);
    Arrays.fill(numbers, dimension, 2 * dimension, 0);
  }

  /** Fills one slot with the step that an example asks for. */
  public void add(Example example) {
    if (example.dimension() != dimension) {
      throw new IllegalArgumentException(
          "an example must have " + dimension + " coordinates, but had " + example.dimension());
    }
    addNothing();
    double factor = factor(example);
    if (factor != 0) {
      move(example, factor);
      project();
    }
  }

  /** eta c. */
  private double factor(Example example) {
    double norm = example.norm();
    double weight = example.weight();
    boolean usable = norm >= SMALLEST
        && norm <= LARGEST
        && weight > 0
        && weight <= LARGEST_WEIGHT
        && Math.abs(example.label()) < Double.POSITIVE_INFINITY;
    if (!usable) {
      return 0;
    }
    double width = mechanism.smoothing() * norm;
    double c = weight * slope.at(example.dot(numbers), example.label(), width);
    double most = inside / norm;
    double cut = Math.max(-most, Math.min(most, c));
    return Double.isNaN(cut) ? 0 : step(norm, weight, width) * cut;
  }

  /** The step of a slot; a little less than 2 over its smoothness, for what is rounded here. */
  private double step(double norm, double weight, double width) {
    double smoothness = slope.curvature(width) * weight * norm * norm;
    double unclipped = slope.lipschitz() * weight * norm;
    double eta = Math.min(step, 2 * (1 - 0x1p-20) / smoothness);
    return unclipped < Double.POSITIVE_INFINITY
        ? Math.min(eta, step * (CUT_AT_FULL_STEP * lattice.clip() / unclipped))
        : eta;
  }

  private void move(Example example, double factor) {
    double[] y = numbers;
    double[] values = example.values();
    int size = example.size();
    if (example.isSparse()) {
      int[] indices = example.indices();
      for (int i = 0; i < size; i++) {
        y[indices[i]] -= factor * values[i];
      }
      return;
    }
    for (int i = 0; i < size; i++) {
      y[i] -= factor * values[i];
    }
  }

  private void project() {
    double[] y = numbers;
    double norm = Vectors.norm(y, dimension);
    if (norm > radius) {
      for (int i = 0; i < dimension; i++) {
        y[i] = radius * (y[i] / norm);
      }
    }
  }

  @Override
  public void addNothing() {
    if (slots >= room) {
      throw new IllegalStateException(
          "a path has " + Math.max(0, room) + " slots, and all are filled");
    }
    slots++;
    double[] both = numbers;
    for (int i = 0; i < dimension; i++) {
      both[dimension + i] += both[i];
    }
  }

  @Override
  public void addNothing(long count) {
    if (count < 0 || count > room - slots) {
      throw new IllegalStateException("a path has " + room + " slots, and " + slots
          + " are filled: there is no room for " + count);
    }
    for (long i = 0; i < count; i++) { // one by one: the same bits however they are counted
      addNothing();
    }
  }

  @Override
  public long slots() {
    return slots;
  }

  @Override
  long room() {
    return room;
  }

  @Override
  Lattice lattice() {
    return lattice;
  }

  PathNoise mechanism() {
    return mechanism;
  }

  /** The number of the open query in its block; 0 where none is open. */
  long query() {
    return query;
  }

  /** Where it began. */
  double[] start() {
    return start;
  }

  @Override
  double[] numbers() {
    return numbers;
  }

  /**
   * Adds the average of the points to noise, in whole units: exact where the average is a multiple
   * of one, else rounded once.
   *
   * @param perUnit one over a power of two
   */
  void addAverage(double perUnit, long[] noise) {
    for (int i = 0; i < dimension; i++) {
      double average = numbers[dimension + i] / slots;
      noise[i] += (long) Math.rint(average * perUnit);
    }
  }

  @Override
  void restore(double[] values, long filled) {
    System.arraycopy(values, 0, numbers, 0, numbers.length);
    slots = filled;
  }

  @Override
  void clear() {
    Arrays.fill(numbers, 0);
    slots = 0;
    room = CLOSED;
    query = 0;
  }
}
