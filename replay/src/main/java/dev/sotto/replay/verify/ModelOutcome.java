package dev.sotto.replay.verify;

import java.util.Optional;

/**
 * What was found about one model.
 *
 * @param rounds of the ledger
 * @param versions among the equal rounds
 * @param equalMetrics number of equal records of private metrics
 * @param difference the first one; empty where there is none
 * @param uncovered why published rounds were not replayed; empty where all were
 */
public record ModelOutcome(
    String modelId,
    Rounds rounds,
    Versions versions,
    long equalMetrics,
    Optional<FirstDifference> difference,
    String uncovered) {
  /**
   * Numbers of rounds.
   *
   * @param published in the ledger
   * @param equal whose ledger entries are equal, from the first round on
   * @param beyond that the recording gives and the ledger does not have yet
   */
  public record Rounds(long published, long equal, long beyond) {}

  /**
   * Numbers of model versions.
   *
   * @param published that are still there
   * @param equal that were compared byte for byte; the others were compared by the digest in the
   *     ledger, since this configuration releases other versions
   */
  public record Versions(long published, long equal) {}
}
