package dev.sotto.evaluation.audit.statistics;

/**
 * A lower bound on mu from the right guesses about canaries of many runs, where the claim is
 * mu-GDP. Within a run anything may depend on anything; runs have keys and coins of their own and
 * are independent.
 *
 * <p>Each of m canaries of a run is in or out of the data by a fair coin, and r of the coins are
 * guessed. Let g(x) = Phi(Phi^-1(x) + mu): what an event of probability x in one of two Gaussian
 * worlds mu apart has at most in the other. Let R_i be the probability that canary i is guessed
 * rightly, and W_i that it is guessed wrongly. Under mu-GDP R_i is at most g(W_i). g is concave, so
 * the means R and W over the canaries keep R <= g(W), and R + W = r / m. So on average at most the
 * share
 *
 * <pre>
 * a(mu) = g(w) m / r   with   w + g(w) = r / m
 * </pre>
 *
 * of a run's guesses is right. Divided by a(mu), the share that is right has a mean of at most 1.
 * So has the product over runs, and that is 1 / risk or more with probability at most risk
 * (Markov). Where it is, mu is refuted.
 *
 * <p>{@link OneRunTradeOff} has to allow for one run in 1 / risk that gives all canaries away at
 * once, however many there are. Here such a run is one of many.
 */
public final class RunsTradeOff {
  private static final double SLACK = 1e-9; // of each share, above the rounding of the tails
  private static final double FAR = 64; // standard deviations
  private static final int STEPS = 80;

  private RunsTradeOff() {}

  /**
   * The largest share of a run's guesses that is right on average under mu-GDP.
   *
   * @param canaries m, at least the guesses
   * @param guesses r, at least 1, decided before the coins are known
   * @param mu at least 0
   */
  public static double mostRight(int canaries, int guesses, double mu) {
    if (!(0 < guesses && guesses <= canaries)) {
      throw new IllegalArgumentException(
          "guesses and canaries must ascend from 1, but were " + guesses + ", " + canaries);
    }
    if (!(mu >= 0)) {
      throw new IllegalArgumentException("mu must be at least 0, but was " + mu);
    }
    double share = (double) guesses / canaries;
    double low = -FAR; // of the threshold, where too many are guessed
    double high = FAR + mu;
    for (int i = 0; i < STEPS; i++) {
      double middle = (low + high) / 2;
      if (TailProbability.normal(middle) + TailProbability.normal(middle - mu) > share) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return Math.min(1, TailProbability.normal(low - mu) / share * (1 + SLACK));
  }

  /**
   * Whether this number of right guesses, or more, has a probability of at most {@code risk} under
   * mu-GDP.
   *
   * @param canaries of each run
   * @param guesses in each run
   * @param right by run
   */
  public static boolean refutes(int canaries, int guesses, double[] right, double mu, double risk) {
    if (!(risk > 0 && risk < 1)) {
      throw new IllegalArgumentException("risk must be between 0 and 1, but was " + risk);
    }
    double most = mostRight(canaries, guesses, mu);
    double product = 0; // its logarithm
    for (double each : right) {
      if (!(each >= 0 && each <= guesses)) {
        throw new IllegalArgumentException(
            "right guesses must be 0 to " + guesses + ", but were " + each);
      }
      product += StrictMath.log(each / guesses / most);
    }
    return product >= -StrictMath.log(risk);
  }

  /**
   * The smallest mu under which these right guesses are possible. The true mu is smaller with
   * probability at most {@code risk}. 0 where nothing is proved.
   */
  public static double muLower(int canaries, int guesses, double[] right, double risk) {
    return OneRunTradeOff.least(mu -> refutes(canaries, guesses, right, mu, risk));
  }
}
