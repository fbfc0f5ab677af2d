package dev.sotto.client;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.serdes.snapshot.PublishedModel;
import java.util.List;

/** Versions as a learner publishes them. */
final class Published {
  private Published() {}

  static PublishedModel version(long version, double[] weights, String features, String loss) {
    Guarantee guarantee =
        Guarantee.of(PrivacyUnit.RECORD, Adjacency.ZERO_OUT, "blt", 0.3, 0.4, 1e-6);
    return new PublishedModel(
        new ModelSnapshot(
            "model",
            new byte[16],
            0,
            version,
            weights.length,
            1,
            ModelSnapshot.digest(weights, guarantee),
            features,
            loss,
            "private-ftrl",
            false,
            guarantee,
            new byte[32],
            List.of(),
            new byte[32]),
        weights);
  }
}
