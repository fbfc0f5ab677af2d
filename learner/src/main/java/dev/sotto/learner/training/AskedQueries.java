package dev.sotto.learner.training;

/**
 * What is asked of slots: by the open query, and by those that may be worked at beside it. Queries
 * count through the whole run, from 1.
 */
interface AskedQueries {
  /**
   * The query that opens.
   *
   * @param seed of its secret coins, or of the perturbations of its path; empty without
   */
  GradientQuery open(long number, byte[] seed);

  /**
   * The open query, or one that may be worked at already.
   *
   * @throws IllegalArgumentException where it is not known
   */
  GradientQuery of(long number);

  /** A round has closed. */
  void closed();

  /** What a state keeps: the algorithm's own vectors, then those that are needed here. */
  double[] after(double[] iterates);

  /** Leaves large arrays to the next ones of this thread; no use afterwards. */
  void recycle();
}
