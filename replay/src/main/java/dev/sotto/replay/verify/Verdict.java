package dev.sotto.replay.verify;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What a verification found.
 *
 * @param outcome in a word
 * @param reason why nothing could be verified; empty otherwise
 * @param models one by one, by id
 * @param events records that were replayed
 * @param seconds that it took
 */
public record Verdict(
    Outcome outcome, String reason, List<ModelVerdict> models, long events, double seconds) {
  /** What a verification can come to. */
  public enum Outcome {
    /** All that was published came out again, bit for bit. */
    EQUAL,
    /** All that came out is equal, but the recording ends before the ledger does. */
    SHORTER,
    /** Something else came out. */
    DIFFERENT,
    /** The recording does not reach back to where the model began. */
    UNVERIFIABLE
  }

  public Verdict {
    models = List.copyOf(models);
  }

  /** The model whose difference is in the earliest round; empty where there is no difference. */
  public Optional<ModelVerdict> first() {
    return models.stream()
        .filter(each -> each.difference().isPresent())
        .min(Comparator.comparingLong(each -> each.difference().get().round()));
  }
}
