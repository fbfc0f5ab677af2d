package dev.sotto.app.predict;

import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.serdes.snapshot.PublishedModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * That a version was learned in a replay of a file, and never published: what its guarantee does
 * not cover is said wherever the version goes.
 *
 * @param keyId the id of the noise key; empty where anybody can compute the key
 * @param notes what its guarantee does not cover, one sentence each
 */
public record ReplayOrigin(Optional<String> keyId, List<String> notes) {
  private static final String NOT_PUBLISHED =
      "learned in a replay of a file, with no published ledger: its guarantee is for this one"
          + " history; whatever else is learned from the same records adds to it, and needs a"
          + " run.label of its own (docs/privacy.md, A second history)";

  private static final String KNOWN_KEY =
      "its noise follows from a throwaway key, which anybody can compute: nothing is hidden, and no"
          + " epsilon is stated";

  private static final String FROM_VALUES =
      "bounds, classes or numbers of values in its settings were read off the records that it was"
          + " learned from, as public ones: epsilon is for the learning alone";

  public ReplayOrigin {
    notes = List.copyOf(notes);
  }

  /**
   * Of a replay.
   *
   * @param keyId the id of its secret noise key; empty for a throwaway key
   * @param settingsFromValues whether its settings were read off the values of the same records
   */
  public static ReplayOrigin of(Optional<String> keyId, boolean settingsFromValues) {
    List<String> notes = new ArrayList<>(List.of(keyId.isPresent() ? NOT_PUBLISHED : KNOWN_KEY));
    if (settingsFromValues) {
      notes.add(FROM_VALUES);
    }
    return new ReplayOrigin(keyId, notes);
  }

  /** A version with the guarantee that holds for it: none, where the noise can be taken off. */
  PublishedModel honest(PublishedModel model) {
    if (keyId.isPresent()) {
      return model;
    }
    ModelSnapshot made = model.manifest();
    Guarantee none = new Guarantee(
        made.guarantee().unit(),
        made.guarantee().adjacency(),
        made.guarantee().mechanism(),
        Double.POSITIVE_INFINITY,
        Double.POSITIVE_INFINITY,
        made.guarantee().delta(),
        Double.POSITIVE_INFINITY,
        Double.POSITIVE_INFINITY);
    return new PublishedModel(
        new ModelSnapshot(
            made.modelId(),
            made.runId(),
            made.generation(),
            made.version(),
            made.dimension(),
            made.chunks(),
            ModelSnapshot.digest(model.weights(), none),
            made.features(),
            made.loss(),
            made.algorithm(),
            made.last(),
            none,
            made.fingerprint(),
            made.ranges(),
            made.ledgerHash()),
        model.weights());
  }
}
