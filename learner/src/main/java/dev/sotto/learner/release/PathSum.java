package dev.sotto.learner.release;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.Vectors;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.loss.MonotoneSlope;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.mechanism.OrderedNoise;
import java.util.Arrays;

/**
 * The path of one query of {@link OrderedNoise} through its slots, within a ball around the origin,
 * and the sum of the points before each step.
 */
public abstract sealed class PathSum extends OpenSum permits OrderedPath, WeightedPath {
  private static final long CLOSED = -1;
  private static final double SMALLEST = 0x1p-400;
  private static final double LARGEST = 0x1p400;
  private static final double LARGEST_WEIGHT = 0x1p200;

  /** Gradients are cut at most by this factor at full step; beyond, the step shrinks. */
  static final double CUT_AT_FULL_STEP = 64;

  final MonotoneSlope slope;
  final int dimension;

  /** What is left of the clip where the norm, the quotient and the products are rounded. */
  final double inside;

  /** The point, then the sum of the points before it. */
  final double[] numbers;

  private final OrderedNoise mechanism;
  private final double radius;
  private final double[] start;
  private long query; // 0 before it is opened
  private double step;

  PathSum(Lattice lattice, OrderedNoise noise, Objective objective) {
    super(lattice, CLOSED);
    this.slope = MonotoneSlope.of(objective)
        .orElseThrow(() -> new IllegalArgumentException("the loss must be one of "
            + MonotoneSlope.names() + " with mechanism " + noise.name()
            + ", whose guarantee rests on their convexity" + noise.rests()));
    if (noise.dimension() != lattice.dimension()) {
      throw new IllegalArgumentException("there must be as many weights as " + noise.name()
          + " has, " + noise.dimension() + ", but were " + lattice.dimension());
    }
    double clip = lattice.clip();
    if (!(clip >= 0x1p-200 && clip <= 0x1p200 && noise.reach() * clip <= 0x1p200)) {
      throw new IllegalArgumentException("clip must be between 2^-200 and 2^200, and the radius at"
          + " most 2^200, but were " + clip + " and " + noise.reach() * clip);
    }
    this.mechanism = noise;
    this.dimension = lattice.dimension();
    this.radius = noise.reach() * clip;
    this.inside = clip * (1 - 0x1p-29);
    this.numbers = new double[Math.multiplyExact(2, dimension)];
    this.start = new double[dimension];
  }

  /**
   * A path that is yet to be opened.
   *
   * @param lattice whose clip bounds gradients
   * @throws IllegalArgumentException with the rule, where the guarantee would not hold
   */
  public static PathSum of(Lattice lattice, OrderedNoise mechanism, Objective objective) {
    return mechanism.match(
        paths -> new OrderedPath(lattice, paths, objective),
        calls -> new WeightedPath(lattice, calls, objective));
  }

  /**
   * Begins the path of a query.
   *
   * @param number of the query in its block, from 1
   * @param point public: where it begins, or the centre around which it goes
   * @param offset public: where it begins, from a centre
   * @throws IllegalStateException where slots have been filled already
   */
  public abstract void open(long number, double[] point, double[] offset);

  /**
   * From where perturbations of the open query follow; nothing where it has none.
   *
   * @param seed of the query, whatever its slots hold: {@link Releaser#coinSeed}
   */
  public void perturb(NoiseKey key, byte[] seed) {}

  /** Begins at a point, which is moved into the ball. */
  final void begin(long number, double[] from) {
    begin(mechanism.schedule().query(number).slots());
    step = mechanism.step(number);
    query = number;
    System.arraycopy(from, 0, numbers, 0, dimension);
    project();
    System.arraycopy(numbers, 0, start, 0, dimension);
    Arrays.fill(numbers, dimension, 2 * dimension, 0);
  }

  /** Fills one slot with the step that an example asks for. */
  public final void add(Example example) {
    if (example.dimension() != dimension) {
      throw new IllegalArgumentException(
          "an example must have " + dimension + " coordinates, but had " + example.dimension());
    }
    fill();
    step(isUsable(example) ? example : null);
  }

  /**
   * Takes the step of the slot that has just been filled.
   *
   * @param example null where nothing moves the point
   */
  abstract void step(Example example);

  private static boolean isUsable(Example example) {
    double norm = example.norm();
    double weight = example.weight();
    return norm >= SMALLEST
        && norm <= LARGEST
        && weight > 0
        && weight <= LARGEST_WEIGHT
        && Math.abs(example.label()) < Double.POSITIVE_INFINITY;
  }

  /** A slope times the weight, cut to magnitude {@code L / ||a||}; 0 where it is no number. */
  final double cut(double c, double norm) {
    double most = inside / norm;
    double cut = Math.max(-most, Math.min(most, c));
    return Double.isNaN(cut) ? 0 : cut;
  }

  /** The step of a slot, so that its cut slope is exact enough. */
  final double step(double norm, double weight) {
    double unclipped = slope.lipschitz() * weight * norm;
    return unclipped < Double.POSITIVE_INFINITY
        ? Math.min(step, step * (CUT_AT_FULL_STEP * lattice().clip() / unclipped))
        : step;
  }

  /** Adds a multiple of the features to the point. */
  final void move(Example example, double factor) {
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

  final void project() {
    double[] y = numbers;
    double norm = Vectors.norm(y, dimension);
    if (norm > radius) {
      for (int i = 0; i < dimension; i++) {
        y[i] = radius * (y[i] / norm);
      }
    }
  }

  private void fill() {
    fillOne();
    double[] both = numbers;
    for (int i = 0; i < dimension; i++) {
      both[dimension + i] += both[i];
    }
  }

  @Override
  public final void addNothing() {
    fill();
    step(null);
  }

  @Override
  public final void addNothing(long count) {
    requireRoom(count);
    for (long i = 0; i < count; i++) { // one by one: the same bits however they are counted
      addNothing();
    }
  }

  final OrderedNoise mechanism() {
    return mechanism;
  }

  /** The number of the open query in its block; 0 where none is open. */
  final long query() {
    return query;
  }

  /** Where it began. */
  final double[] start() {
    return start;
  }

  @Override
  final double[] numbers() {
    return numbers;
  }

  /**
   * Adds the average of the points, in whole units: exact where the average is a multiple of one,
   * else rounded once.
   *
   * @param perUnit one over a power of two
   * @param into the noise, which is drawn already
   */
  final void addAverage(double perUnit, long[] into) {
    for (int i = 0; i < dimension; i++) {
      double average = numbers[dimension + i] / slots();
      into[i] += (long) Math.rint(average * perUnit);
    }
  }

  @Override
  final void restore(double[] values, long filled) {
    System.arraycopy(values, 0, numbers, 0, numbers.length);
    filled(filled);
  }

  @Override
  final void clear() {
    Arrays.fill(numbers, 0);
    filled(0);
    begin(CLOSED);
    query = 0;
  }
}
