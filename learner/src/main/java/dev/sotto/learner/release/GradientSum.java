package dev.sotto.learner.release;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.mechanism.QuerySchedule;

/**
 * The exact sum of the gradients of one open round, or of one query of a block, each bounded on the
 * way in. Only this package can read what is inside, and it adds noise first.
 *
 * <p>Every addition fills one slot, whatever it adds. Not safe for use by several threads.
 */
public abstract sealed class GradientSum extends OpenSum permits ClippedSum, MedianOfSums {
  final LatticeSums sums;
  final double[] sum; // of one vector after the other

  /**
   * Zeros.
   *
   * @param vectors that are summed apart
   */
  GradientSum(Lattice lattice, int vectors) {
    super(lattice, lattice.batch());
    this.sums = new LatticeSums(lattice, vectors);
    this.sum = sums.numbers;
  }

  /** An empty sum of the kind that queries at one point ask for. */
  public static GradientSum of(Lattice lattice, QuerySchedule queries) {
    return queries.groups() == 1
        ? new ClippedSum(lattice)
        : new MedianOfSums(lattice, queries.groups());
  }

  /**
   * Adds the gradient {@code slope * features} of one example, bounded and rounded to the lattice.
   * A gradient that is not finite counts as zero, as an absent one would.
   */
  public abstract void add(Example example, double slope);

  /**
   * Adds the gradient of several rows at one example, {@code outer} times its features, row by row,
   * and then {@code tail}: together bounded and rounded to the lattice. A gradient that is not
   * finite counts as zero.
   *
   * @param outer one entry a row
   * @param tail one entry for each weight behind the rows
   */
  public abstract void add(Example example, double[] outer, double[] tail);

  /** The vector that is released, before its noise. */
  abstract double[] released();

  /** How many groups a query's slots are cut into. */
  abstract int groups();

  /** At how many points a query's sums are taken. */
  abstract int points();

  /** Leaves its array to the next sum of this thread; no use afterwards. */
  public final void recycle() {
    sums.recycle();
  }

  /**
   * The next sum is full at this number of slots, which may be less than the most that the lattice
   * adds exactly.
   *
   * @throws IllegalStateException where slots have been filled already
   * @throws IllegalArgumentException where the lattice cannot add as many
   */
  public final void open(long newRoom) {
    if (newRoom < 1 || newRoom > lattice().batch()) {
      throw new IllegalArgumentException(
          "a sum must have 1 to " + lattice().batch() + " slots, but was to have " + newRoom);
    }
    begin(newRoom);
  }

  /**
   * {@link #open(long)} of a sum whose vectors are multiplied by a factor after they are bounded:
   * they and what rounding adds to them stay within the factor times the clip.
   *
   * @param factor 0 to 1; with 0 whatever is added counts as zero
   * @throws IllegalArgumentException where sums of this kind have no other factor than 1
   */
  public final void open(long newRoom, double factor) {
    open(newRoom);
    scale(factor);
  }

  /** The next vectors are multiplied by this. */
  abstract void scale(double factor);

  final void checkLength(Example example) {
    if (example.dimension() != lattice().dimension()) {
      throw new IllegalArgumentException("an example must have " + lattice().dimension()
          + " coordinates, but had " + example.dimension());
    }
  }

  final void checkLength(Example example, double[] outer, double[] tail) {
    int inputs = example.dimension();
    if ((long) outer.length * inputs + tail.length != lattice().dimension()) {
      throw new IllegalArgumentException("a gradient must have " + lattice().dimension()
          + " coordinates, but had " + outer.length + " x " + inputs + " + " + tail.length);
    }
  }

  @Override
  public void addNothing() {
    fillOne();
  }

  /** Fills a number of slots with the zero vector. */
  @Override
  public final void addNothing(long count) {
    requireRoom(count);
    filled(slots() + count);
  }

  @Override
  final double[] numbers() {
    return sum;
  }

  @Override
  final void clear() {
    sums.clear();
    filled(0);
  }

  @Override
  final void restore(double[] values, long count) {
    System.arraycopy(values, 0, sum, 0, sum.length);
    filled(count);
  }
}
