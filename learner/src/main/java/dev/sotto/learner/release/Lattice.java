package dev.sotto.learner.release;

import dev.sotto.learner.mechanism.GradientNorm;
import dev.sotto.learner.release.LatticeException.Input;
import java.util.Objects;

/**
 * The grid {@code unit * Z^d} on which clipped vectors are added, so that sums are exact and do not
 * depend on the order of the summands (docs/privacy.md, "The lattice"; the leak of floating-point
 * sums: Mironov 2012).
 *
 * <p>Promises, checked as it is made: one clipped vector, rounded to the grid, still has a norm of
 * at most {@code clip}; a sum of {@code batch} of them is exact in doubles.
 *
 * @param unit the grid's step, a power of two
 * @param clip the bound of one vector's norm, after rounding
 * @param dimension the number of coordinates
 * @param batch the number of vectors in one sum
 * @param norm the norm that is bounded: l2 under Gaussian noise, l1 under Laplace noise
 */
public record Lattice(double unit, double clip, int dimension, long batch, GradientNorm norm) {
  private static final double FINEST_TO_NOISE = 0x1p-20;
  private static final double FINEST_TO_CLIP = 0x1p-10;
  // Up to here a norm, summed in four parts, is wrong by little more than 2^-31 of itself.
  private static final int LARGEST_DIMENSION = 1 << 24;

  /** A grid for vectors of bounded l2 norm. */
  public Lattice(double unit, double clip, int dimension, long batch) {
    this(unit, clip, dimension, batch, GradientNorm.L2);
  }

  public Lattice {
    Objects.requireNonNull(norm, "norm");
    checkClip(clip);
    checkDimension(dimension);
    if (batch < 1) {
      throw new LatticeException(Input.BATCH, "batch must be at least 1, but was " + batch);
    }
    if (!(unit > 0) || unit != StrictMath.scalb(1.0, Math.getExponent(unit))) {
      throw new LatticeException(
          Input.CLIP, "lattice unit must be a power of two, but was " + unit);
    }
    if (!(0x1.8p52 * unit < Double.POSITIVE_INFINITY)) {
      throw new LatticeException(
          Input.CLIP,
          "lattice unit must be below 2^971, so that 2^53 units are finite, but was " + unit);
    }
    if (!(clip <= 0x1p51 * unit)) {
      throw new LatticeException(
          Input.CLIP,
          "clip must be at most 2^51 lattice units, but was " + clip + " = " + clip / unit
              + " units");
    }
    if (!(batch * clip < 0x1p53 * unit)) {
      throw new LatticeException(
          Input.BATCH,
          "batch * clip must be below 2^53 lattice units to add exactly, but was "
              + batch + " * " + clip + " = " + batch * clip / unit + " units of " + unit
              + "; choose a smaller batch or a larger noise");
    }
    if (!(inside(clip, norm.ofOnes(dimension), unit) > 0)) {
      throw new LatticeException(
          Input.DIMENSION,
          "rounding " + dimension + " coordinates to units of " + unit
              + " leaves no room inside a clip of " + clip);
    }
  }

  /** The grid for vectors of bounded l2 norm; see {@link #fit(double, double, int, long, Norm)}. */
  public static Lattice fit(double clip, double sigma, int dimension, long batch) {
    return fit(clip, sigma, dimension, batch, GradientNorm.L2);
  }

  /**
   * The coarsest grid that is at most 2^-20 of the noise per coordinate and costs at most 2^-11 of
   * the clip to rounding.
   *
   * @param sigma the parameter of the noise per coordinate of the sum: the standard deviation of a
   *     Gaussian, the scale of a Laplace distribution (whose standard deviation is larger)
   */
  public static Lattice fit(
      double clip, double sigma, int dimension, long batch, GradientNorm norm) {
    if (!(sigma > 0) || sigma == Double.POSITIVE_INFINITY) {
      throw new LatticeException(
          Input.NOISE, "sigma must be positive and finite, but was " + sigma);
    }
    checkClip(clip); // here already: the grid is made of them
    checkDimension(dimension);
    double finest =
        Math.min(sigma * FINEST_TO_NOISE, clip * FINEST_TO_CLIP / norm.ofOnes(dimension));
    double unit = StrictMath.scalb(1.0, Math.getExponent(finest));
    if (!(sigma / unit <= norm.widestNoise())) {
      throw new LatticeException(
          Input.NOISE,
          "sigma must be at most 2^" + Math.getExponent(norm.widestNoise())
              + " lattice units, but was " + sigma + " = " + sigma / unit + " units of " + unit
              + "; the noise would drown any model");
    }
    Lattice lattice = new Lattice(unit, clip, dimension, batch, norm);
    if (!(unit <= sigma * FINEST_TO_NOISE)) { // a sigma so small that its exponent bottoms out
      throw new LatticeException(
          Input.NOISE,
          "sigma must be large enough for a lattice of at most 2^-20 of it, but was " + sigma);
    }
    return lattice;
  }

  private static void checkClip(double clip) {
    if (!(clip > 0) || clip == Double.POSITIVE_INFINITY) {
      throw new LatticeException(Input.CLIP, "clip must be positive and finite, but was " + clip);
    }
  }

  private static void checkDimension(int dimension) {
    if (dimension < 1) {
      throw new LatticeException(
          Input.DIMENSION, "dimension must be at least 1, but was " + dimension);
    }
    if (dimension > LARGEST_DIMENSION) {
      throw new LatticeException(
          Input.DIMENSION, "dimension must be at most 2^24, but was " + dimension);
    }
  }

  /**
   * The norm to which a vector is cut before it is rounded, so that rounding cannot exceed the
   * clip.
   */
  double inside() {
    return inside(clip, norm.ofOnes(dimension), unit);
  }

  /**
   * The same for vectors that are multiplied by a factor behind the cut, so that they stay within
   * the factor times the clip: of a factor of 0 that is the zero vector.
   */
  double inside(double factor) {
    return factor == 0 ? 0 : inside(factor * clip, norm.ofOnes(dimension), unit);
  }

  private static double inside(double clip, double ofOnes, double unit) {
    // 2^-30 covers the rounding of the norm, of the factor and of the products.
    return clip * (1 - 0x1p-30) - ofOnes * unit / 2;
  }

  /** Adding and subtracting this rounds to the grid, for magnitudes up to 2^51 units. */
  double magic() {
    return 0x1.8p52 * unit;
  }
}
