package dev.sotto.learner.release;

import dev.sotto.learner.example.Example;

/**
 * The exact sum of clipped gradients: each is cut to the clip norm on the way in. Sums may be taken
 * at several points, of each of which a slot is cut apart.
 */
public final class ClippedSum extends GradientSum {
  private final GradientCut whole;
  private final int dimension;
  private final int points;
  private GradientCut cut; // of the open sum
  private double scale = 1; // of its vectors, behind the cut
  private int nextPoint; // the first at which the slot that was filled last may still add

  /** An empty sum. */
  public ClippedSum(Lattice lattice) {
    this(lattice, 1);
  }

  /**
   * Empty sums at several points.
   *
   * @param points of a query; a slot is filled by {@link #addNothing()}, and then adds at each of
   *     them at most once, in their order
   */
  public static ClippedSum atPoints(Lattice lattice, int points) {
    return new ClippedSum(lattice, points);
  }

  private ClippedSum(Lattice lattice, int points) {
    super(lattice, points);
    this.dimension = lattice.dimension();
    this.points = points;
    this.nextPoint = points;
    this.whole = new GradientCut(lattice.norm(), lattice.inside());
    this.cut = whole;
  }

  @Override
  void scale(double factor) {
    if (factor != scale) {
      Lattice of = lattice();
      cut = factor == 1 ? whole : new GradientCut(of.norm(), of.inside(factor));
      scale = factor;
    }
  }

  /** {@inheritDoc} It is cut to the clip norm. */
  @Override
  public void add(Example example, double slope) {
    checkLength(example);
    fillOne();
    addCut(example, slope, 0);
  }

  private void addCut(Example example, double slope, int from) {
    double factor = cut.factor(slope * scale, lattice().norm().of(example));
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
    if (point < nextPoint || point >= points) {
      throw new IllegalStateException("a slot adds at each of " + points
          + " points once, in their order, but adds at " + point + " where " + nextPoint
          + " is next");
    }
    nextPoint = point + 1;
  }

  /**
   * {@inheritDoc} It is cut to the clip norm. So unbalanced that its norm could not be trusted (a
   * factor of it below 2^-240 or above 2^240), it counts as zero too.
   */
  @Override
  public void add(Example example, double[] outer, double[] tail) {
    checkLength(example, outer, tail);
    fillOne();
    addCut(example, outer, tail, 0);
  }

  private void addCut(Example example, double[] outer, double[] tail, int start) {
    int inputs = example.dimension();
    double features = lattice().norm().of(example);
    double rows = lattice().norm().of(outer) * scale;
    double factor = cut.factor(rows, features, lattice().norm().of(tail) * scale) * scale;
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
    double factor = cut.factor(scale, lattice().norm().of(gradient));
    if (factor != 0) {
      sums.addDense(gradient, dimension, factor, 0);
    }
  }

  /**
   * Adds a vector along one axis, as long as the clip: an example is counted there.
   *
   * @param axis from 0; -1 for the zero vector
   */
  public void addAxis(int axis) {
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

  @Override
  void filled(long count) {
    super.filled(count);
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
    if (part == this || !part.lattice().equals(lattice()) || part.points != points) {
      throw new IllegalArgumentException("a part must be another sum on the lattice " + lattice()
          + ", but lies on " + part.lattice());
    }
    if (part.slots() > room() - slots()) {
      throw new IllegalStateException("a round holds " + room() + " slots, but the parts have "
          + slots() + " and " + part.slots());
    }
    sums.addAll(part.sums);
    filled(slots() + part.slots());
    part.clear();
  }

  @Override
  double[] released() {
    return sum;
  }

  @Override
  int groups() {
    return 1;
  }

  @Override
  int points() {
    return points;
  }
}
