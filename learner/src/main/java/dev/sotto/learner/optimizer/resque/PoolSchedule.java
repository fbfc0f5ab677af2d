package dev.sotto.learner.optimizer.resque;

/**
 * The public numbers of a {@link PoolAlgorithm}.
 *
 * @param rounds N of a block, at least 1
 * @param points M of a round, even, at least 4
 * @param rate q, the probability with which a slot adds to the mean at one point; above 0, at most
 *     1
 * @param ball the problem of a round
 * @param solver of that problem; each half of the points must be enough for it
 */
public record PoolSchedule(
    long rounds, int points, double rate, BallProblem ball, BallSolvers solver) {
  public PoolSchedule {
    if (rounds < 1 || points < 4 || points % 2 != 0) {
      throw new IllegalArgumentException("rounds must be at least 1 and points even and at least"
          + " 4, but were " + rounds + " and " + points);
    }
    if (!(rate > 0 && rate <= 1)) {
      throw new IllegalArgumentException("rate must be above 0 and at most 1, but was " + rate);
    }
    int least = solver.of(ball, points / 2).leastEntries();
    if (points / 2 < least) {
      throw new IllegalArgumentException("solver " + solver.written() + " needs at least "
          + 2L * least + " points, but there were " + points);
    }
  }

  /** The solver of a half of the points. */
  BallSolver ballSolver() {
    return solver.of(ball, points / 2);
  }

  /** Standard deviation of a perturbation's coordinate. */
  public double rho() {
    return ball.rho();
  }

  /** lambda of the outer recursion and of the problem of a round. */
  public double lambda() {
    return ball.lambda();
  }

  /** In one line, the same for equal schedules. */
  public String describe() {
    return "pool rounds=" + rounds + " points=" + points + " rate=" + Double.toHexString(rate) + " "
        + ball.describe() + " " + ballSolver().describe();
  }
}
