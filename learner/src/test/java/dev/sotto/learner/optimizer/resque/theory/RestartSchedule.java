package dev.sotto.learner.optimizer.resque.theory;

import java.util.ArrayList;
import java.util.List;

/**
 * The calls of Algorithm 5: restarts of {@link ErmPhase} with which a strongly convex problem is
 * solved at the rate of one. The k-th answer is returned; one more restart, as printed, would
 * double the cost.
 *
 * @param calls in their order
 */
public record RestartSchedule(List<Call> calls) {
  private static final double STRONGLY_CONVEX = 8192; // C_sc = 32 C_cvx^2

  /**
   * One call.
   *
   * @param size T_i and beta_i
   * @param distance r_i
   */
  public record Call(SolverSize size, double distance) {}

  /**
   * The schedule.
   *
   * @param lambda modulus of strong convexity, positive
   * @param radius r of the ball
   */
  public static RestartSchedule of(SolverSize size, double lambda, double radius) {
    if (!(lambda > 0 && radius > 0)) {
      throw new IllegalArgumentException(
          "lambda and radius must be positive, but were " + lambda + " and " + radius);
    }
    int k = restarts(size.queries());
    double widest = 2 * size.lipschitz() * size.lipschitz() / lambda;
    List<Call> calls = new ArrayList<>();
    double quotient = 0;
    for (int i = 0; i < k; i++) {
      double beta = size.beta() * Math.sqrt(1L << (k - i));
      SolverSize each = size.with(Math.max(1, size.queries() >> (k - i)), beta);
      double error = 16 * 16 * widest * each.error() * each.error(); // E_i
      if (i == 0) {
        quotient = widest / (4 * error);
      }
      double gap = 4 * error * StrictMath.pow(quotient, 1.0 / (1L << i)); // D_i
      calls.add(new Call(each, Math.min(2 * radius, Math.sqrt(2 * gap / lambda))));
    }
    return new RestartSchedule(List.copyOf(calls));
  }

  /** k = ceil(log2 log2 T), 0 for T up to 2. */
  static int restarts(long queries) {
    int k = 0;
    while (1L << k < 62 && 1L << (1L << k) < queries) {
      k++;
    }
    return k;
  }

  /** A bound of the expected gap. */
  public static double gap(SolverSize size, double lambda) {
    return STRONGLY_CONVEX * size.lipschitz() * size.lipschitz() / lambda * size.squaredError();
  }

  /** beta_0 / beta: what the range of orders must be checked at. */
  public static double largestBetaRatio(long queries) {
    return Math.sqrt(1L << restarts(queries));
  }

  /** Entries of all calls; less than T. */
  public long queries() {
    return calls.stream().mapToLong(each -> each.size().queries()).sum();
  }
}
