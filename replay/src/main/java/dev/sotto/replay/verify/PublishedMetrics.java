package dev.sotto.replay.verify;

import dev.sotto.serdes.avro.UnreadableRecordException;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.ModelMetrics;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The published private metrics that are still there, by model and last round. */
final class PublishedMetrics {
  private final Map<String, Map<Long, byte[]>> records = new HashMap<>();

  private PublishedMetrics() {}

  /** Those of a learner that publishes none. */
  static PublishedMetrics none() {
    return new PublishedMetrics();
  }

  /**
   * Reads what is there.
   *
   * @throws SottoException (UNVERIFIED) where a record cannot be read
   */
  static PublishedMetrics read(PublishedOutputs published, PublishedLedger ledger) {
    PublishedMetrics read = new PublishedMetrics();
    published.metrics((partition, offset, key, value) -> {
      try {
        ModelMetrics metrics = Codecs.METRICS.decode(value);
        long round = metrics.noisy().lastRound();
        if (round <= ledger.rounds(metrics.modelId())) { // later ones came while this was read
          read.records.computeIfAbsent(metrics.modelId(), id -> new HashMap<>()).put(round, value);
        }
      } catch (UnreadableRecordException unreadable) {
        throw new SottoException(
            FailureKind.UNVERIFIED,
            "partition " + partition + ", offset " + offset + " of the metrics: "
                + unreadable.getMessage(),
            unreadable);
      }
    });
    return read;
  }

  /** The record that ends with a round; empty where there is none. */
  Optional<byte[]> bytes(String modelId, long lastRound) {
    return Optional.ofNullable(records.getOrDefault(modelId, Map.of()).get(lastRound));
  }
}
