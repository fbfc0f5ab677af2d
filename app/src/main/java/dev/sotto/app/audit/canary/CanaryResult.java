package dev.sotto.app.audit.canary;

/**
 * What canaries have shown.
 *
 * @param canaries how many there were
 * @param runs in how many runs
 * @param guesses how many coins were guessed
 * @param right how many of them rightly
 * @param epsilonLower what that proves, with the confidence asked for
 * @param epsilonUpper what the ledger says
 * @param delta of both
 * @param falseAlarm how likely the guesses would refute the ledger although all is as claimed
 * @param mu how far apart the worlds of the most exposed canary lie, measured; NaN where noise is not Gaussian
 * @param muError its standard error where all is as claimed
 * @param muUpper what it is where all is as claimed; the ledger's mu is no less
 */
public record CanaryResult(
    int canaries,
    int runs,
    int guesses,
    int right,
    double epsilonLower,
    double epsilonUpper,
    double delta,
    double falseAlarm,
    double mu,
    double muError,
    double muUpper) {
  /** So many standard errors above the claim a measured mu is no accident: less than once in 10^8 audits. */
  public static final double ALLOWED_ERRORS = 6;

  /** Whether the guesses refute the ledger's epsilon. */
  public boolean refutesEpsilon() {
    return epsilonLower > epsilonUpper;
  }

  /** The largest measured mu that the claim leaves possible. */
  public double muAllowed() {
    return muUpper + ALLOWED_ERRORS * muError;
  }

  /** Whether the measured separation refutes the claim. */
  public boolean refutesMu() {
    return mu > muAllowed();
  }

  /** Whether anything here refutes the ledger. */
  public boolean refutes() {
    return refutesEpsilon() || refutesMu();
  }
}
