package dev.sotto.replay.verify;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What a verification found.
 *
 * @param outcome in one word
 * @param reason why nothing could be verified; empty otherwise
 * @param models one by one, by id
 * @param events records that were replayed
 * @param seconds that it took
 */
public record VerificationResult(
    Outcome outcome, String reason, List<ModelOutcome> models, long events, double seconds) {
  /** What a verification can come to. */
  public enum Outcome {
    /** All that was published was reproduced, bit for bit. */
    EQUAL,
    /** All that was replayed is equal, but the recording ends before the ledger does. */
    SHORTER,
    /** Something differs. */
    DIFFERENT,
    /** The recording does not reach back to where the model began. */
    UNVERIFIABLE
  }

  public VerificationResult {
    models = List.copyOf(models);
  }

  /** The model whose difference is in the earliest round; empty where there is no difference. */
  public Optional<ModelOutcome> first() {
    return models.stream()
        .filter(each -> each.difference().isPresent())
        .min(Comparator.comparingLong(each -> each.difference().get().round()));
  }
}
