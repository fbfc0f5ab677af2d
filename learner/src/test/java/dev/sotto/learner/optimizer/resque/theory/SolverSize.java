package dev.sotto.learner.optimizer.resque.theory;

/**
 * What one call of a private solver is sized by.
 *
 * @param queries T, at least 1
 * @param beta inverse scale of the noise, positive: a phase of step eta has noise {@code L eta /
 *     beta}
 * @param lipschitz L, positive
 * @param dimension d, at least 1
 */
public record SolverSize(long queries, double beta, double lipschitz, int dimension) {
  public SolverSize {
    if (queries < 1 || dimension < 1) {
      throw new IllegalArgumentException(
          "queries and dimension must be at least 1, but were " + queries + " and " + dimension);
    }
    if (!(beta > 0 && lipschitz > 0) || lipschitz == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException(
          "beta and lipschitz must be positive, but were " + beta + " and " + lipschitz);
    }
  }

  /** The same with other numbers. */
  SolverSize with(long otherQueries, double otherBeta) {
    return new SolverSize(otherQueries, otherBeta, lipschitz, dimension);
  }

  /** sqrt(d) / (beta T) + 1 / sqrt(T): the gap of a convex problem over L and a distance. */
  double error() {
    return Math.sqrt(dimension) / (beta * queries) + 1 / Math.sqrt(queries);
  }

  /** d / (beta T)^2 + 1 / T: that of a strongly convex one in units of L^2 / lambda. */
  double squaredError() {
    double noise = Math.sqrt(dimension) / (beta * queries);
    return noise * noise + 1.0 / queries;
  }
}
