package dev.sotto.learner.loss;

/**
 * The generator of Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators" (2014),
 * section 2: public start weights that are the same on every machine and Java version. Never for
 * noise.
 */
final class SplitMix64 {
  private long state;

  SplitMix64(long seed) {
    state = seed;
  }

  /** Uniform between -1 and 1, a multiple of 2^-52. */
  double symmetric() {
    return (next() >> 11) * 0x1p-52;
  }

  private long next() {
    state += 0x9e3779b97f4a7c15L;
    long mixed = (state ^ (state >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }
}
