package dev.sotto.evaluation.audit.noise;

/**
 * A mechanism as a filter, written from its definition once more: the references with which tests
 * compare {@link NoiseMatrix}.
 */
interface ReferenceMatrix {
  /** White noise out of noisy prefix sums. */
  interface Whitener {
    /** Writes row t of C g + z, without taking the prefix for granted yet. */
    void white(double[] prefix, double[] into);

    /** Goes on to the next round from the prefix that was committed. */
    void advance(double[] prefix);
  }

  /** Noise of prefix sums out of white noise. */
  interface Colourer {
    /** Writes N_t, without taking this round's white noise for granted yet. */
    void colour(double[] white, double[] into);

    /** Goes on to the next round. */
    void advance(double[] white);
  }

  /** A whitener before the first round. */
  Whitener whitener(int dimension);

  /** A colourer before the first round. */
  Colourer colourer(int dimension);
}
