package dev.sotto.evaluation.audit.canary;

/**
 * What canaries show about a subject.
 *
 * @param bound what the guesses prove about epsilon
 * @param separation how far apart the canaries' worlds lie
 */
public record CanaryResult(Guesses guesses, EpsilonBound bound, Separation separation) {
  /** This many standard errors above the claim happen by chance in less than one of 10^8 audits. */
  public static final double ALLOWED_ERRORS = 6;

  /**
   * The guesses about the coins of the canaries.
   *
   * @param canaries the number of canaries
   * @param runs in which they took part
   * @param guessed the number of guessed coins
   * @param right the number of right guesses
   */
  public record Guesses(int canaries, int runs, int guessed, int right) {}

  /**
   * Bounds on epsilon.
   *
   * @param lower proved by the guesses, with the confidence asked for
   * @param upper of the ledger
   * @param delta of both
   * @param falseAlarm the probability that the guesses refute the ledger where all is as claimed
   */
  public record EpsilonBound(double lower, double upper, double delta, double falseAlarm) {}

  /**
   * The distance of the two worlds of the most exposed canary, as a mu.
   *
   * @param measured NaN where the noise is not Gaussian
   * @param error its standard error where all is as claimed
   * @param claimed its value where all is as claimed; the ledger's mu is at least as large
   */
  public record Separation(double measured, double error, double claimed) {}

  public double epsilonLower() {
    return bound.lower();
  }

  public double epsilonUpper() {
    return bound.upper();
  }

  public double delta() {
    return bound.delta();
  }

  /** The measured mu; NaN where the noise is not Gaussian. */
  public double mu() {
    return separation.measured();
  }

  /** The largest measured mu that the claim allows. */
  public double muAllowed() {
    return separation.claimed() + ALLOWED_ERRORS * separation.error();
  }

  /** Whether the guesses refute the ledger's epsilon. */
  public boolean refutesEpsilon() {
    return epsilonLower() > epsilonUpper();
  }

  /** Whether the measured separation refutes the claim. */
  public boolean refutesMu() {
    return mu() > muAllowed();
  }

  /** Whether the ledger is refuted. */
  public boolean refutes() {
    return refutesEpsilon() || refutesMu();
  }
}
