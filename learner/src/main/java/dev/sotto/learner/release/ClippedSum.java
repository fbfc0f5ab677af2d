package dev.sotto.learner.release;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.mechanism.GradientNorm;
import java.util.Arrays;

/**
 * The exact sum of one round's clipped gradients. Clipping happens on the way in; only this package
 * can read what is inside, and it adds noise first.
 *
 * <p>Every addition fills one slot of the round, whatever it adds. Not safe for use by several
 * threads.
 */
public final class ClippedSum extends OpenSum {
  private final Lattice lattice;
  private final GradientCut whole;
  private final int dimension;
  private final int groups;
  private final int points;
  private final LatticeSums sums;
  final double[] sum; // of all groups, or at all points, one after the other
  private GradientCut cut; // of the open sum
  private double scale = 1; // of its vectors, behind the cut
  private long room;
  private long slots;
  private int nextPoint; // the first at which the slot that was filled last may still add

  /** An empty sum. */
  public ClippedSum(Lattice lattice) {
    this(lattice, 1);
  }

  /**
   * Empty sums of groups, of which the median is released: every coordinate of a vector is cut to
   * {@code clip / sqrt(d)}, so that a slot moves the sum of its group, and with it each
   * coordinate's median, by no more than a vector of norm {@code clip} would.
   *
   * @param groups of a query's slots, by position; odd
   */
  public ClippedSum(Lattice lattice, int groups) {
    this(lattice, groups, 1);
  }

  /**
   * Empty sums at several points, of each of which a slot is cut to the clip apart.
   *
   * @param points of a query; a slot is filled by {@link #addNothing()}, and then adds at each of
   *     them at most once, in their order
   */
  public static ClippedSum atPoints(Lattice lattice, int points) {
    return new ClippedSum(lattice, 1, points);
  }

  private ClippedSum(Lattice lattice, int groups, int points) {
    this.dimension = lattice.dimension();
    this.groups = groups;
    this.points = points;
    this.nextPoint = points;
    if (groups > 1 && lattice.norm() != GradientNorm.L2) {
      throw new IllegalArgumentException("groups need vectors bounded in l2");
    }
    this.lattice = lattice;
    this.whole = new GradientCut(lattice.norm(), lattice.inside());
    this.cut = whole;
    this.sums = new LatticeSums(lattice, Math.max(groups, points));
    this.sum = sums.numbers;
    this.room = lattice.batch();
  }

  /** Leaves its array to the next sum of this thread; no use afterwards. */
  public void recycle() {
    sums.recycle();
  }

  /**
   * The next sum is full at this number of slots, which may be less than the most that the lattice
   * adds exactly.
   *
   * @throws IllegalStateException where slots have been filled already
   * @throws IllegalArgumentException where the lattice cannot add as many
   */
  public void open(long newRoom) {
    if (slots > 0) {
      throw new IllegalStateException("a sum of " + slots + " slots has not been released");
    }
    if (newRoom < 1 || newRoom > lattice.batch()) {
      throw new IllegalArgumentException(
          "a sum must have 1 to " + lattice.batch() + " slots, but was to have " + newRoom);
    }
    room = newRoom;
  }

  /**
   * The next sum's vectors are multiplied by a factor after they are cut: they and what rounding
   * adds to them stay within the factor times the clip.
   *
   * @param factor above 0, at most 1
   */
  void scale(double factor) {
    if (factor != scale) {
      cut = factor == 1 ? whole : new GradientCut(lattice.norm(), lattice.inside(factor));
      scale = factor;
    }
  }

  /** {@link #open(long)} of a sum whose vectors are multiplied by a factor after they are cut. */
  public void open(long newRoom, double factor) {
    open(newRoom);
    scale(factor);
  }

  /**
   * Adds the gradient {@code slope * features} of one example, cut to the clip norm and rounded to
   * the lattice. A gradient that is not finite counts as zero, as an absent one would.
   */
  public void add(Example example, double slope) {
    checkLength(example);
    fillOne();
    if (groups == 1) {
      addCut(example, slope, 0);
    } else if (GradientCut.isFinite(slope, lattice.norm().of(example))) {
      sums.addBounded(example, slope, group());
    }
  }

  private void addCut(Example example, double slope, int from) {
    double factor = cut.factor(slope * scale, lattice.norm().of(example));
    if (factor != 0) {
      sums.add(example, factor, from);
    }
  }

  /**
   * Adds, for the slot that was filled last, the gradient {@code slope * features} at one of the
   * points: cut and rounded as {@link #add(Example, double)} does.
   *
   * @param point from 0, behind the last at which this slot has added
   */
  public void addAt(int point, Example example, double slope) {
    checkLength(example);
    take(point);
    addCut(example, slope, point * dimension);
  }

  /** {@link #addAt(int, Example, double)} of a gradient of several rows and a tail. */
  public void addAt(int point, Example example, double[] outer, double[] tail) {
    checkLength(example, outer, tail);
    take(point);
    addCut(example, outer, tail, point * dimension);
  }

  /** A slot has one vector at each point: more would not be hidden by the noise. */
  private void take(int point) {
    if (point < nextPoint || point >= points || groups > 1) {
      throw new IllegalStateException("a slot adds at each of " + points
          + " points once, in their order, but adds at " + point + " where " + nextPoint
          + " is next");
    }
    nextPoint = point + 1;
  }

  /**
   * Adds the gradient of several rows at one example, {@code outer} times its features, row by row,
   * and then {@code tail}: together cut to the clip norm and rounded to the lattice. A gradient
   * that is not finite counts as zero, and so does one so unbalanced that its norm could not be
   * trusted (a factor of it below 2^-240 or above 2^240).
   *
   * @param outer one entry a row
   * @param tail one entry for each weight behind the rows
   */
  public void add(Example example, double[] outer, double[] tail) {
    checkLength(example, outer, tail);
    fillOne();
    if (groups == 1) {
      addCut(example, outer, tail, 0);
      return;
    }
    double features = lattice.norm().of(example);
    if (GradientCut.isFinite(lattice.norm().of(outer), features)
        && lattice.norm().of(tail) < Double.POSITIVE_INFINITY) {
      int inputs = example.dimension();
      for (int row = 0; row < outer.length; row++) {
        sums.addBounded(example, outer[row], group() + row * inputs);
      }
      sums.addBounded(tail, group() + outer.length * inputs);
    }
  }

  private void checkLength(Example example) {
    if (example.dimension() != dimension) {
      throw new IllegalArgumentException(
          "an example must have " + dimension + " coordinates, but had " + example.dimension());
    }
  }

  private void checkLength(Example example, double[] outer, double[] tail) {
    int inputs = example.dimension();
    if ((long) outer.length * inputs + tail.length != dimension) {
      throw new IllegalArgumentException("a gradient must have " + dimension
          + " coordinates, but had " + outer.length + " x " + inputs + " + " + tail.length);
    }
  }

  private void addCut(Example example, double[] outer, double[] tail, int start) {
    int inputs = example.dimension();
    double features = lattice.norm().of(example);
    double rows = lattice.norm().of(outer) * scale;
    double factor = cut.factor(rows, features, lattice.norm().of(tail) * scale) * scale;
    if (factor == 0) {
      return;
    }
    for (int row = 0; !GradientCut.isFlat(rows, features) && row < outer.length; row++) {
      sums.add(example, factor * outer[row], start + row * inputs);
    }
    sums.addDense(tail, tail.length, factor, start + outer.length * inputs);
  }

  /** Adds a gradient given as a vector, cut to the clip norm and rounded to the lattice. */
  public void add(double[] gradient) {
    if (gradient.length != dimension) {
      throw new IllegalArgumentException(
          "gradient must have " + dimension + " coordinates, but had " + gradient.length);
    }
    fillOne();
    double norm = lattice.norm().of(gradient);
    if (groups > 1) {
      if (GradientCut.isFinite(1, norm)) {
        sums.addBounded(gradient, group());
      }
      return;
    }
    double factor = cut.factor(scale, norm);
    if (factor != 0) {
      sums.addDense(gradient, dimension, factor, 0);
    }
  }

  /** Where the sum of the group of the slot that was filled last begins. */
  private int group() {
    return dimension * (int) ((slots - 1) / (room / groups));
  }

  /**
   * The vector that is released, before its noise: the sum, or each coordinate's median of sums.
   */
  double[] released() {
    if (groups == 1) {
      return sum;
    }
    double[] medians = new double[dimension];
    double[] each = new double[groups];
    for (int i = 0; i < dimension; i++) {
      for (int group = 0; group < groups; group++) {
        each[group] = sum[group * dimension + i];
      }
      Arrays.sort(each);
      medians[i] = each[groups / 2];
    }
    return medians;
  }

  /** How many groups a query's slots are cut into. */
  int groups() {
    return groups;
  }

  /**
   * Adds a vector along one axis, as long as the clip: an example is counted there.
   *
   * @param axis from 0; -1 for the zero vector
   * @throws IllegalStateException where the median of groups is released
   */
  public void addAxis(int axis) {
    if (groups > 1) {
      throw new IllegalStateException("sums of groups count nothing");
    }
    fillOne();
    if (axis >= 0) {
      sums.addAt(axis, cut.inside());
    }
  }

  /** Fills one slot with the zero vector, to which {@link #addAt} may add. */
  @Override
  public void addNothing() {
    fillOne();
    nextPoint = 0;
  }

  /** Fills a number of slots with the zero vector. */
  @Override
  public void addNothing(long count) {
    if (count < 0 || count > room - slots) {
      throw new IllegalStateException("a round holds " + room + " slots, and " + slots
          + " are filled: there is no room for " + count);
    }
    slots += count;
    nextPoint = points;
  }

  private void fillOne() {
    if (slots == room) {
      throw new IllegalStateException("a round holds " + slots + " slots, and all are filled");
    }
    slots++;
    nextPoint = points;
  }

  /**
   * Takes over what another part of the same round holds, exactly: order and grouping leave no
   * trace. The other part is emptied, so that no slot can count twice.
   *
   * @throws IllegalArgumentException where the other sum is this one, or lies on another lattice
   * @throws IllegalStateException where both have more slots than a round
   */
  public void merge(ClippedSum part) {
    if (groups > 1 || part.groups > 1) {
      throw new IllegalArgumentException(
          "sums of groups cannot be put together from parts, which know no positions");
    }
    if (part == this || !part.lattice.equals(lattice) || part.points != points) {
      throw new IllegalArgumentException(
          "a part must be another sum on the lattice " + lattice + ", but lies on " + part.lattice);
    }
    if (part.slots > room - slots) {
      throw new IllegalStateException(
          "a round holds " + room + " slots, but the parts have " + slots + " and " + part.slots);
    }
    sums.addAll(part.sums);
    slots += part.slots;
    part.clear();
  }

  /** How many slots have been filled: a position, not a count of usable examples. */
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

  /** At how many points a query's sums are taken. */
  int points() {
    return points;
  }

  @Override
  double[] numbers() {
    return sum;
  }

  @Override
  void clear() {
    sums.clear();
    slots = 0;
    nextPoint = points;
  }

  @Override
  void restore(double[] values, long filled) {
    System.arraycopy(values, 0, sum, 0, sum.length);
    slots = filled;
    nextPoint = points;
  }
}
