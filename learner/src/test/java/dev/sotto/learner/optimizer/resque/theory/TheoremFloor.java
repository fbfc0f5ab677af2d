package dev.sotto.learner.optimizer.resque.theory;

/**
 * The smallest block for which Theorem 3 says something, charging only the calls of the ball
 * optimiser with a constant of 1: the half of epsilon that the theorem gives to Renyi divergences
 * pays for all of them.
 *
 * @param scale K
 * @param calls N, K log kappa
 * @param beta the largest that the range of orders allows
 * @param queries T of a call
 * @param slots n
 */
public record TheoremFloor(double scale, double calls, double beta, double queries, double slots) {
  private static final double AMPLIFIED = 13 * 1.44;
  private static final double STRONGLY_CONVEX = 8192;
  private static final int ROUNDS = 100;

  /**
   * What is to be reached.
   *
   * @param kappa L R / accuracy, above 1
   * @param dimension d
   */
  public record Target(double kappa, int dimension, double epsilon, double delta) {
    public Target {
      if (!(kappa > 1 && epsilon > 0 && delta > 0 && delta < 1) || dimension < 1) {
        throw new IllegalArgumentException("kappa must be above 1, epsilon positive, delta between"
            + " 0 and 1 and dimension at least 1, but were " + kappa + ", " + epsilon + ", " + delta
            + " and " + dimension);
      }
    }

    /** delta of one of N calls, delta / (18 N). */
    public double deltaOfCall(double calls) {
      return delta / (18 * calls);
    }
  }

  /** With the constants of the printed proofs, which depend on N and T in turn. */
  public static TheoremFloor printed(Target target) {
    TheoremFloor floor = new TheoremFloor(1, 1, 1, 1000, 1);
    for (int i = 0; i < ROUNDS; i++) {
      double delta = target.deltaOfCall(floor.calls);
      double ratio = TheoremRegime.printedRatio((long) floor.queries, delta);
      floor = of(target, ratio, TheoremRegime.printedCost(delta));
    }
    return floor;
  }

  /**
   * With other constants.
   *
   * @param ratio rho / r
   * @param cost tau_0 / beta^2
   */
  public static TheoremFloor of(Target target, double ratio, double cost) {
    double order = 4 * StrictMath.log(2 / target.delta()) / target.epsilon();
    double beta = Math.sqrt(3 / (cost * order));
    TheoremFloor slices = ofSlices(target, ratio, beta);
    double signal = Math.sqrt(2 * target.dimension() / slices.gap(target)); // beta T
    double each = AMPLIFIED * cost * signal * signal;
    double slots = Math.sqrt(slices.calls * each * 2 * order / target.epsilon());
    return new TheoremFloor(slices.scale, slices.calls, beta, slices.queries, slots);
  }

  /**
   * Where every call takes slots of its own, so that a slot pays for one of them alone.
   *
   * @param ratio rho / r
   * @param beta mu / c
   */
  public static TheoremFloor ofSlices(Target target, double ratio, double beta) {
    double kappa = target.kappa();
    double root = StrictMath.cbrt(kappa * Math.sqrt(target.dimension()) * ratio);
    double scale = root * root;
    double calls = scale * StrictMath.log(kappa);
    double gap = new TheoremFloor(scale, calls, beta, 0, 0).gap(target);
    double queries = Math.max(Math.sqrt(2 * target.dimension() / gap) / beta, 2 / gap);
    return new TheoremFloor(scale, calls, beta, queries, calls * queries);
  }

  /**
   * What {@code d / (beta T)^2 + 1 / T} may be: the gap of a call must be at most {@code lambda r^2 /
   * log^3(kappa)}, and {@code lambda r / L = sqrt(K) log^2(kappa) / kappa}.
   */
  private double gap(Target target) {
    double log = StrictMath.log(target.kappa());
    double pull = Math.sqrt(scale) * log * log / target.kappa();
    return pull * pull / (STRONGLY_CONVEX * log * log * log);
  }

  /** N T. */
  public double allQueries() {
    return calls * queries;
  }
}
