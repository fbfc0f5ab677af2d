package dev.sotto.learner.loss;

/**
 * The generator of Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators" (2014),
 * section 2: public numbers that are the same on every machine and Java version. Never for noise.
 */
public final class SplitMix64 {
  private long state;

  /** A stream that begins at a seed; streams of seeds that {@link #mix} made lie far apart. */
  public SplitMix64(long seed) {
    state = seed;
  }

  /** Uniform between -1 and 1, a multiple of 2^-52. */
  public double symmetric() {
    return (nextLong() >> 11) * 0x1p-52;
  }

  /** The next 64 bits. */
  public long nextLong() {
    state += 0x9e3779b97f4a7c15L;
    return mix(state);
  }

  /** A bijection of 64 bits, each of which depends on all. */
  public static long mix(long bits) {
    long mixed = (bits ^ (bits >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }
}
