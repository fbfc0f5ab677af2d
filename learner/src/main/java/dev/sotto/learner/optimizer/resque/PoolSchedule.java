package dev.sotto.learner.optimizer.resque;

/**
 * The public numbers of a {@link PoolAlgorithm}.
 *
 * <p>Theory asks for {@code lambda = L / r} and {@code N = 2 R sqrt(lambda / accuracy)} rounds, as A
 * grows to {@code N^2 / (4 lambda)}. A smaller lambda keeps fewer rounds long enough; then the ball
 * limits them.
 *
 * @param rounds N of a block, at least 1
 * @param points M of a round, even, at least 4
 * @param rate q, the probability with which a slot adds to the mean at one point; above 0, at most 1
 * @param ball the problem of a round
 * @param solver of that problem; each half of the points must be enough for it
 */
public record PoolSchedule(
    long rounds, int points, double rate, BallProblem ball, BallSolvers solver) {
  /** L R / accuracy at most: beyond it twenty times the gradients gained nothing that was seen. */
  private static final double MOST_KAPPA = 30;

  private static final double LEAST_KAPPA = 5;

  /** lambda r / L. */
  private static final double SHARE = 0.125;

  /** Slots of a query whose own variance is a hundredth of one gradient's. */
  private static final double LEAST_SAMPLE = 100;

  /** The multiplier of one query's noise from which on the rate changes its share of the cost little. */
  private static final double MULTIPLIER = 2;

  private static final double MOST_POINTS = 1 << 20;

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

  /**
   * The schedule of a block, where nobody chose: {@code L R / accuracy} is one over the risk, from 5
   * to 30, and lambda is L / (8 r). By simulations of an absolute loss of 20 and 100 weights.
   */
  public static PoolSchedule of(PoolSize size) {
    double kappa = Math.max(LEAST_KAPPA, Math.min(MOST_KAPPA, 1 / size.risk()));
    return of(size, kappa, SHARE, BallSolvers.WEIGHTED_SGD);
  }

  /**
   * The schedule of an accuracy.
   *
   * @param kappa L R / accuracy, at least 1
   * @param share lambda r / L, above 0; 1 for that of the theory
   */
  public static PoolSchedule of(PoolSize size, double kappa, double share, BallSolvers solver) {
    if (!(kappa >= 1 && kappa < Double.POSITIVE_INFINITY && share > 0)) {
      throw new IllegalArgumentException(
          "kappa must be at least 1 and the share positive, but were " + kappa + " and " + share);
    }
    double rho = size.distance() / (kappa * Math.sqrt(size.directions()));
    double lambda = share * size.clip() / rho;
    double accuracy = size.clip() * size.distance() / kappa;
    long rounds = rounds(size.distance(), lambda, accuracy);
    double wanted = Math.min(MOST_POINTS, kappa * kappa / rounds);
    int points = 2 * (int) Math.max(2, Math.round(wanted / 2));
    BallProblem ball = new BallProblem(size.clip(), rho, rho, lambda);
    return new PoolSchedule(rounds, points, rate(size, (double) rounds * points), ball, solver);
  }

  /** N = ceil(2 R sqrt(lambda / accuracy)), with which {@code R^2 / A_N} is at most the accuracy. */
  public static long rounds(double distance, double lambda, double accuracy) {
    return (long) Math.max(1, Math.ceil(2 * distance * Math.sqrt(lambda / accuracy) - 1e-9));
  }

  /**
   * The smallest rate at which amplification by sampling has its full effect: the noise of a query is
   * about {@code q sqrt(NM)} times that of a single one, and below a multiplier of 2 it falls more
   * slowly than q.
   */
  private static double rate(PoolSize size, double queries) {
    double amplified = MULTIPLIER / (size.noise() * Math.sqrt(queries));
    return Math.min(1, Math.max(amplified, LEAST_SAMPLE / size.slots()));
  }

  BallSolver ballSolver() {
    return solver.of(ball, points / 2);
  }

  public double rho() {
    return ball.rho();
  }

  public double lambda() {
    return ball.lambda();
  }

  /** In one line, the same for equal schedules. */
  public String describe() {
    return "pool rounds=" + rounds + " points=" + points + " rate=" + Double.toHexString(rate) + " "
        + ball.describe() + " " + ballSolver().describe();
  }
}
