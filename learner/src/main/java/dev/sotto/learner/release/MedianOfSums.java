package dev.sotto.learner.release;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.mechanism.GradientNorm;
import java.util.Arrays;

/**
 * The sums of groups of slots, of which each coordinate's median is released (docs/heavy-tails.md).
 * Every coordinate of a gradient is cut to {@code clip / sqrt(d)}, so that a slot moves the sum of
 * its group, and with it each coordinate's median, by no more than a vector of norm {@code clip}
 * would. Groups are cut by position, so parts cannot be put together.
 */
final class MedianOfSums extends GradientSum {
  private final int groups;
  private final int dimension;
  private final GradientNorm norm;
  private final double most; // magnitude of one coordinate

  /**
   * Empty sums.
   *
   * @param groups of a query's slots; odd
   */
  MedianOfSums(Lattice lattice, int groups) {
    super(lattice, groups);
    if (lattice.norm() != GradientNorm.L2) {
      throw new IllegalArgumentException("groups need vectors bounded in l2");
    }
    this.groups = groups;
    this.dimension = lattice.dimension();
    this.norm = lattice.norm();
    this.most = lattice.inside() / Math.sqrt(dimension);
  }

  @Override
  void scale(double factor) {
    if (factor != 1) {
      throw new IllegalArgumentException("medians of groups are not scaled by " + factor);
    }
  }

  @Override
  public void add(Example example, double slope) {
    checkLength(example);
    fillOne();
    if (GradientCut.isFinite(slope, norm.of(example))) {
      addBounded(example, slope, group());
    }
  }

  @Override
  public void add(Example example, double[] outer, double[] tail) {
    checkLength(example, outer, tail);
    fillOne();
    if (GradientCut.isFinite(norm.of(outer), norm.of(example))
        && norm.of(tail) < Double.POSITIVE_INFINITY) {
      int inputs = example.dimension();
      for (int row = 0; row < outer.length; row++) {
        addBounded(example, outer[row], group() + row * inputs);
      }
      addBounded(tail, group() + outer.length * inputs);
    }
  }

  private void addBounded(Example example, double factor, int from) {
    double[] values = example.values();
    for (int i = 0; i < example.size(); i++) {
      sums.addAt(from + example.index(i), bounded(factor * values[i]));
    }
  }

  private void addBounded(double[] values, int from) {
    for (int i = 0; i < values.length; i++) {
      sums.addAt(from + i, bounded(values[i]));
    }
  }

  private double bounded(double value) {
    return Math.max(-most, Math.min(most, value));
  }

  /** Where the sum of the group of the slot that was filled last begins. */
  private int group() {
    return dimension * (int) ((slots() - 1) / (room() / groups));
  }

  /** Each coordinate's median. */
  @Override
  double[] released() {
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

  @Override
  int groups() {
    return groups;
  }

  @Override
  int points() {
    return 1;
  }
}
