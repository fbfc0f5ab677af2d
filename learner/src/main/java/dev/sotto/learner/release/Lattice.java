package dev.sotto.learner.release;

/**
 * The grid {@code unit * Z^d} on which clipped vectors are added, so that sums are exact and do not
 * depend on the order of the summands (privacy.md section 3; the leak of floating-point sums: Mironov
 * 2012).
 *
 * <p>Promises, checked as it is made: one clipped vector, rounded to the grid, still has l2 norm at
 * most {@code clip}; a sum of {@code batch} of them is exact in doubles.
 *
 * @param unit the grid's step, a power of two
 * @param clip the l2 bound of one vector, after rounding
 * @param dimension the number of coordinates
 * @param batch the number of vectors in one sum
 */
public record Lattice(double unit, double clip, int dimension, long batch) {
  private static final double FINEST_TO_NOISE = 0x1p-20;
  private static final double FINEST_TO_CLIP = 0x1p-10;
  private static final double COARSEST_NOISE = 0x1p32; // the sampler's doubles are 2^18 times finer

  public Lattice {
    checkClip(clip);
    checkDimension(dimension);
    if (batch < 1) {
      throw new IllegalArgumentException("batch must be at least 1, but was " + batch);
    }
    if (!(unit > 0) || unit != StrictMath.scalb(1.0, Math.getExponent(unit))) {
      throw new IllegalArgumentException("lattice unit must be a power of two, but was " + unit);
    }
    if (!(0x1.8p52 * unit < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "lattice unit must be below 2^971, so that 2^53 units are finite, but was " + unit);
    }
    if (!(clip <= 0x1p51 * unit)) {
      throw new IllegalArgumentException("clip must be at most 2^51 lattice units, but was " + clip
          + " = " + clip / unit + " units");
    }
    if (!(batch * clip < 0x1p53 * unit)) {
      throw new IllegalArgumentException(
          "batch * clip must be below 2^53 lattice units to add exactly, but was "
              + batch + " * " + clip + " = " + batch * clip / unit + " units of " + unit
              + "; choose a smaller batch or a larger noise");
    }
    if (!(inside(clip, dimension, unit) > 0)) {
      throw new IllegalArgumentException("rounding " + dimension + " coordinates to units of "
          + unit + " leaves no room inside a clip of " + clip);
    }
  }

  /**
   * The coarsest grid that is at most 2^-20 of the noise per coordinate and costs at most 2^-11 of the
   * clip to rounding.
   *
   * @param sigma the standard deviation of the noise per coordinate of the sum
   */
  public static Lattice fit(double clip, double sigma, int dimension, long batch) {
    if (!(sigma > 0) || sigma == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("sigma must be positive and finite, but was " + sigma);
    }
    checkClip(clip); // here already: the grid is made of them
    checkDimension(dimension);
    double finest = Math.min(sigma * FINEST_TO_NOISE, clip * FINEST_TO_CLIP / Math.sqrt(dimension));
    double unit = StrictMath.scalb(1.0, Math.getExponent(finest));
    if (!(sigma / unit <= COARSEST_NOISE)) {
      throw new IllegalArgumentException(
          "sigma must be at most 2^32 lattice units, but was " + sigma + " = " + sigma / unit
              + " units of " + unit + "; the noise would drown any model");
    }
    Lattice lattice = new Lattice(unit, clip, dimension, batch);
    if (!(unit <= sigma * FINEST_TO_NOISE)) { // a sigma so small that its exponent bottoms out
      throw new IllegalArgumentException(
          "sigma must be large enough for a lattice of at most 2^-20 of it, but was " + sigma);
    }
    return lattice;
  }

  private static void checkClip(double clip) {
    if (!(clip > 0) || clip == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("clip must be positive and finite, but was " + clip);
    }
  }

  private static void checkDimension(int dimension) {
    if (dimension < 1) {
      throw new IllegalArgumentException("dimension must be at least 1, but was " + dimension);
    }
  }

  /** The l2 norm to which a vector is cut before it is rounded, so that rounding cannot exceed the clip. */
  double inside() {
    return inside(clip, dimension, unit);
  }

  private static double inside(double clip, int dimension, double unit) {
    // 2^-30 covers the rounding of the norm, of the factor and of the products.
    return clip * (1 - 0x1p-30) - Math.sqrt(dimension) * unit / 2;
  }

  /** Adding and subtracting this rounds to the grid, for magnitudes up to 2^51 units. */
  double magic() {
    return 0x1.8p52 * unit;
  }
}
