package dev.sotto.learner.range;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.Hats;
import java.util.ArrayList;
import java.util.List;

/**
 * What is known of a number without bounds: about the middle four fifths of its values.
 *
 * @param state what was found
 * @param lo where the range begins; 0 where there is none
 * @param hi where it ends, above lo; 0 where there is none
 */
public record NumberRange(State state, double lo, double hi) {
  /** What the counts have shown. */
  public enum State {
    /** Nothing that stands out of the noise. */
    UNKNOWN,
    /** Zeros, and nothing else that stands out of the noise. */
    ATOM,
    /** A range. */
    MEASURED;

    /** The word in published texts. */
    public String word() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  /** Of a number of which nothing is known. */
  public static final NumberRange UNKNOWN = new NumberRange(State.UNKNOWN, 0, 0);

  /** Of one that is mostly 0. */
  public static final NumberRange ATOM = new NumberRange(State.ATOM, 0, 0);

  /** The places of the hats. */
  public static final Hats HATS = new Hats(-3, 3, 12);

  /** Coordinates of a number: its place, and the hats. */
  public static final int COUNT = 1 + HATS.knots();

  private static final int PACKED = 3; // numbers
  private static final double FARTHEST = 3;
  private static final double FARTHEST_LABEL = 1e6;
  private static final double NARROW = 1.0 / 64;
  private static final double LOG_OF_A_MILLION = StrictMath.log1p(1e6);

  public NumberRange {
    boolean ofRange = state == State.MEASURED;
    if (!(ofRange ? lo < hi && Double.isFinite(hi - lo) : lo == 0 && hi == 0)) {
      throw new IllegalArgumentException("a range must have lo below hi, both finite, and "
          + state.word() + " both 0 unless it is measured, but was " + lo + " to " + hi);
    }
  }

  /** A range. */
  public static NumberRange of(double lo, double hi) {
    return new NumberRange(State.MEASURED, lo, hi);
  }

  /** Ranges as numbers, of which {@link #unpack} makes the same ones. */
  public static double[] pack(List<NumberRange> ranges) {
    double[] packed = new double[PACKED * ranges.size()];
    for (int i = 0; i < ranges.size(); i++) {
      NumberRange each = ranges.get(i);
      packed[PACKED * i] = each.state.ordinal();
      packed[PACKED * i + 1] = each.lo;
      packed[PACKED * i + 2] = each.hi;
    }
    return packed;
  }

  /** The ranges that {@link #pack} made numbers of. */
  public static List<NumberRange> unpack(double[] packed) {
    List<NumberRange> ranges = new ArrayList<>();
    for (int i = 0; i < packed.length; i += PACKED) {
      ranges.add(new NumberRange(State.values()[(int) packed[i]], packed[i + 1], packed[i + 2]));
    }
    return ranges;
  }

  /**
   * The place of a finite number: from -1 to 1 inside the range, up to 3 on either side beyond, by
   * its logarithm.
   */
  public double place(double x) {
    double z = switch (state) {
      case UNKNOWN -> Math.copySign(StrictMath.log1p(Math.abs(x)) / LOG_OF_A_MILLION, x);
      case ATOM -> Math.signum(x);
      case MEASURED -> beyond(2 * ((x - lo) / (hi - lo)) - 1);
    };
    return Math.max(-FARTHEST, Math.min(FARTHEST, z));
  }

  private static double beyond(double t) {
    double size = Math.abs(t);
    return size <= 1 ? t : Math.copySign(1 + 0.5 * StrictMath.log(size), t);
  }

  /**
   * A label in units of the range, from its middle; of one that was measured. What is more than a
   * million ranges away counts as that: so it stays finite.
   */
  public double label(double y) {
    return Math.max(-FARTHEST_LABEL, Math.min(FARTHEST_LABEL, (y - middle()) / (hi - lo)));
  }

  /** The middle of the range. */
  public double middle() {
    return lo + (hi - lo) / 2;
  }

  /** Adds the coordinates of a finite number. */
  void add(Example example, int first, double x) {
    double z = place(x);
    example.add(first, z);
    HATS.add(example, first + 1, z);
  }

  /** The inner product of the coordinates of a finite number with weights. */
  public double score(double[] weights, int first, double x) {
    double z = place(x);
    return weights[first] * z + HATS.score(weights, first + 1, z);
  }

  /**
   * Whether a measured range is as narrow, beside its distance from 0, as the ranges that are found
   * around a number which is always the same: the stages can tell no narrower one.
   */
  public boolean isNarrow() {
    return state == State.MEASURED && hi - lo <= NARROW * Math.max(Math.abs(lo), Math.abs(hi));
  }

  /** The number whose place in a measured range is this one, from -3 to 3. */
  public double at(double z) {
    double size = Math.abs(z);
    double t = size <= 1 ? z : Math.copySign(StrictMath.exp(2 * (size - 1)), z);
    return lo + (t + 1) / 2 * (hi - lo);
  }
}
