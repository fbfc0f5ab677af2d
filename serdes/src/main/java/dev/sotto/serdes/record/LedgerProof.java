package dev.sotto.serdes.record;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.key.Sha256;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.serdes.feature.FeatureMapText;
import java.util.Arrays;

/** What a ledger entry proves of a version. */
public final class LedgerProof {
  private LedgerProof() {}

  /**
   * Whether an entry is the one that a version names, and states its digest and what its ranges
   * were paid for.
   *
   * @param bytes the entry as it was published
   */
  public static boolean confirms(LedgerEntry entry, byte[] bytes, ModelSnapshot version) {
    return Arrays.equals(version.runId(), entry.runId())
        && Arrays.equals(version.ledgerHash(), Sha256.sha256(bytes))
        && Arrays.equals(version.digest(), entry.snapshotDigest())
        && FeatureMapText.isMeasuredIn(
            entry.terms().rangeWindow(), entry.terms().batch(), version.features());
  }
}
