package dev.sotto.learner.mechanism;

/**
 * How noise and slots enter what queries are answered, row by row from its definition and apart
 * from the code that draws the noise: audits and tests check that code against it. A row is white:
 * it has noise of standard deviation 1. Queries count from 1, from where sums begin anew.
 */
public interface AnswerRows {
  /** The row that ends with the answer of a query, over the changes of answers so far. */
  double[] row(int query);

  /**
   * How far what an earlier query reads moves the row of a query.
   *
   * @param earlier at most {@code query}
   */
  double moved(int query, int earlier);

  /** Rows that one query moves, its own among them, at most. */
  default long reach() {
    return Integer.MAX_VALUE;
  }

  /** Whether every answer has noise of its own, so that none is a sum over several. */
  default boolean isFresh() {
    return false;
  }

  /** Of answers that have noise of their own each. */
  static AnswerRows fresh(AnswerNoise noise) {
    return new AnswerRows() {
      @Override
      public double[] row(int query) {
        return new double[] {1 / noise.noise(query)};
      }

      @Override
      public double moved(int query, int earlier) {
        return query == earlier ? 1 / noise.noise(query) : 0;
      }

      @Override
      public boolean isFresh() {
        return true;
      }
    };
  }
}
