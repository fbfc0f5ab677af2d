package dev.sotto.client;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.key.Sha256;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.StartingModel;
import java.util.List;

/** A version as a learner publishes it, in two chunks, with its ledger entry. */
public record MadeVersion(ModelSnapshot manifest, double[] weights, LedgerEntry entry) {
  public static MadeVersion of(
      String model, long version, double[] weights, String features, String loss) {
    Guarantee guarantee =
        Guarantee.of(PrivacyUnit.RECORD, Adjacency.ZERO_OUT, "blt", 0.5, 0.6, 1e-6);
    byte[] digest = ModelSnapshot.digest(weights, guarantee);
    LedgerEntry entry = entry(model, version, guarantee, digest);
    ModelSnapshot manifest = new ModelSnapshot(
        model,
        new byte[16],
        0,
        version,
        weights.length,
        2,
        digest,
        features,
        loss,
        "private-ftrl",
        false,
        guarantee,
        new byte[32],
        List.of(),
        Sha256.sha256(Codecs.LEDGER.encode(entry)));
    return new MadeVersion(manifest, weights, entry);
  }

  public ModelSnapshot withLedgerHash(byte[] hash) {
    return manifest(manifest.chunks(), hash);
  }

  /** In another number of pieces. */
  public ModelSnapshot withChunks(int chunks) {
    return manifest(chunks, manifest.ledgerHash());
  }

  private ModelSnapshot manifest(int chunks, byte[] hash) {
    return new ModelSnapshot(
        manifest.modelId(),
        manifest.runId(),
        manifest.generation(),
        manifest.version(),
        manifest.dimension(),
        chunks,
        manifest.digest(),
        manifest.features(),
        manifest.loss(),
        manifest.algorithm(),
        manifest.last(),
        manifest.guarantee(),
        manifest.fingerprint(),
        manifest.ranges(),
        hash);
  }

  /** What a model file holds. */
  public StartingModel starting() {
    return new StartingModel(
        "made.snapshots@" + manifest.version(),
        manifest,
        weights,
        entry,
        entry,
        new StartingModel.Records(false, "", List.of(), 1));
  }

  private static LedgerEntry entry(String model, long version, Guarantee guarantee, byte[] digest) {
    return new LedgerEntry(
        version,
        new byte[32],
        model,
        new byte[16],
        0,
        version,
        version,
        "private-ftrl",
        1,
        1,
        2,
        1,
        guarantee,
        2,
        0,
        false,
        32 * version,
        0,
        List.of(),
        digest,
        new byte[32],
        "key",
        1,
        new LedgerEntry.Terms("any", "once", "none", 0, "gaussian-dp", 0, 32, 0));
  }
}
