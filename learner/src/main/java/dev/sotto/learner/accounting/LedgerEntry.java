package dev.sotto.learner.accounting;

import java.util.List;

/**
 * What everything published up to and with one version has cost, and which rounds it covers since
 * the model's entry before (docs/privacy.md, "The ledger"). Entries of one ledger partition form a
 * chain: each carries the hash of the one before.
 *
 * @param sequence place in the chain of its partition, from 1
 * @param previousHash SHA-256 of the bytes of the entry before; 32 zero bytes in the first
 * @param modelId the model
 * @param runId 16 bytes that follow from noise key, model, configuration and label
 * @param generation 0 until an algorithm restarts on fresh records
 * @param firstRound that it pays for, from 1: the one after the last of the entry before
 * @param round the last that it pays for; the version of the model
 * @param algorithm name of the optimizer
 * @param clip l2 bound of one gradient
 * @param sensitivity s: how far one unit moves a round's sum
 * @param sigma standard deviation of the noise per coordinate of that sum
 * @param matrixSensitivity sens_t of the mechanism
 * @param guarantee of all rounds up to its last one
 * @param budgetEpsilon the most that may be spent at the guarantee's delta
 * @param epsilonLeft budget less spent, rounded down, never negative
 * @param last whether the budget forbids any further round
 * @param slots slots of the model consumed so far
 * @param origin offset of the first record that this partition's learner ever saw; 0 where rounds
 *     are put together from parts, whose offsets mean nothing
 * @param ranges where the slots of its rounds lie
 * @param snapshotDigest SHA-256 over the weights and the guarantee of this version
 * @param fingerprint SHA-256 of the configuration in force
 * @param keyId public name of the noise key
 * @param semantics version of the arithmetic and of the noise
 * @param terms what else the figures follow from
 */
public record LedgerEntry(
    long sequence,
    byte[] previousHash,
    String modelId,
    byte[] runId,
    int generation,
    long firstRound,
    long round,
    String algorithm,
    double clip,
    double sensitivity,
    double sigma,
    double matrixSensitivity,
    Guarantee guarantee,
    double budgetEpsilon,
    double epsilonLeft,
    boolean last,
    long slots,
    long origin,
    List<OffsetRange> ranges,
    byte[] snapshotDigest,
    byte[] fingerprint,
    String keyId,
    int semantics,
    Terms terms) {
  public LedgerEntry {
    ranges = List.copyOf(ranges);
  }

  /**
   * The settings beside clip, sigma and mechanism from which the figures can be computed again.
   *
   * @param mechanismParameters in one line; empty where there are none
   * @param participation the rule by which a unit's records are admitted, in one line
   * @param generations when the algorithm restarts, in one line
   * @param metricsRatio what one participation in the metrics costs, s_m / sigma_m; 0 without
   *     metrics
   * @param accountant which accountant computed the figures
   * @param spentMu what the same units had spent in earlier runs: the figures begin with it
   * @param batch slots in each round
   * @param earlierMu what the runs before this one, at whose models it began, have spent on records
   *     that this one does not learn: a run that learns those again begins with it, too
   * @param candidates how many models learn from the same slots beside each other, this one
   *     included: the guarantee is that of all of them together
   * @param rangeWindow how ranges of numbers were measured, in one line; empty where none were
   */
  public record Terms(
      String mechanismParameters,
      String participation,
      String generations,
      double metricsRatio,
      String accountant,
      double spentMu,
      long batch,
      double earlierMu,
      int candidates,
      String rangeWindow) {
    /** One participation a record, one generation, no metrics, a mechanism without parameters. */
    public static final Terms PLAIN = new Terms("", "once", "none", 0, "gaussian-dp", 0, 0, 0);

    /** The terms of a model that learns alone. */
    public Terms(
        String mechanismParameters,
        String participation,
        String generations,
        double metricsRatio,
        String accountant,
        double spentMu,
        long batch,
        double earlierMu) {
      this(
          mechanismParameters,
          participation,
          generations,
          metricsRatio,
          accountant,
          spentMu,
          batch,
          earlierMu,
          1,
          "");
    }
  }
}
