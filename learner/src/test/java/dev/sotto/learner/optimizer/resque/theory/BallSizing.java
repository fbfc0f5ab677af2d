package dev.sotto.learner.optimizer.resque.theory;

import java.util.ArrayList;
import java.util.List;

/**
 * The sizes of ball acceleration (Propositions 1 and 2). The constant of the paper is unspecified:
 * 1 here, but for the accuracy of the line search, which needs r / 17.
 *
 * @param lipschitz L, positive
 * @param distance R, positive
 * @param radius r of a ball, positive and at most R
 * @param kappa L R / accuracy, above 1
 */
public record BallSizing(double lipschitz, double distance, double radius, double kappa) {
  private static final double SEARCH = 17;

  public BallSizing {
    if (!(lipschitz > 0 && radius > 0 && distance >= radius && kappa > 1)) {
      throw new IllegalArgumentException("lipschitz, radius and distance must be positive, the"
          + " radius at most the distance and kappa above 1, but were " + lipschitz + ", " + radius
          + ", " + distance + " and " + kappa);
    }
  }

  /**
   * Calls of the ball optimiser with one accuracy.
   *
   * @param calls of all iterations together
   * @param accuracy phi / (lambda r^2)
   */
  public record Calls(double calls, double accuracy) {}

  /** The ball of a loss that is convolved with a perturbation as large as it allows. */
  public static BallSizing parallel(double lipschitz, double distance, double kappa, double d) {
    return new BallSizing(lipschitz, distance, distance / (kappa * Math.sqrt(d)), kappa);
  }

  /** K = (R / r)^(2/3). */
  public double scale() {
    double root = StrictMath.cbrt(distance / radius);
    return root * root;
  }

  /** lambda_* without its logarithm: accuracy K^2 / R^2. */
  public double plainLambda() {
    return lipschitz / (kappa * distance) * scale() * scale();
  }

  /** lambda_* = accuracy K^2 log^2(kappa) / R^2. */
  public double lambda() {
    double log = StrictMath.log(kappa);
    return plainLambda() * log * log;
  }

  /** 2 L / r, for the dimensionless number that is printed. */
  public double mostLambda() {
    return 2 * lipschitz / radius;
  }

  /** Whether lambda_* is so large that no ball ever binds: a fixed lambda is as good then. */
  public boolean isDegenerate() {
    return lambda() > lipschitz / radius;
  }

  /** K log kappa iterations. */
  public double iterations() {
    return scale() * StrictMath.log(kappa);
  }

  /** log(R kappa / r) calls of the line search in an iteration. */
  public double searches() {
    return StrictMath.log(distance * kappa / radius);
  }

  /** Delta, the accuracy of the line search. */
  public double searchAccuracy() {
    return radius / SEARCH;
  }

  /** phi of the ball optimiser for a lambda. */
  public double optimumAccuracy(double lambda) {
    return lambda * radius * radius / StrictMath.pow(StrictMath.log(kappa), 3);
  }

  /** Delta of the stochastic proximal oracle: its bias is at most Delta / lambda. */
  public double proximalBias() {
    return lipschitz / kappa;
  }

  /** s of the stochastic proximal oracle: its variance is at most s^2 / lambda^2. */
  public double proximalDeviation() {
    return lipschitz / kappa * Math.sqrt(scale());
  }

  /** All calls where every oracle is made of ball optimisers (Proposition 2). */
  public List<Calls> calls() {
    double log = searches();
    List<Calls> calls = new ArrayList<>();
    calls.add(new Calls(iterations() * log * log, 1));
    int levels = (int) Math.ceil(StrictMath.log(scale()) / StrictMath.log(2) + 1);
    for (int j = 1; j <= levels; j++) {
      double power = StrictMath.pow(2, j);
      calls.add(new Calls(scale() * log / power, 1 / (power * log * log)));
    }
    return calls;
  }
}
