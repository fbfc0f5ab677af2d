package dev.sotto.serdes.record;

import dev.sotto.learner.accounting.OffsetRange;
import java.util.List;

/**
 * How a model over rounds began.
 *
 * @param eventTopicId id of the event topic
 * @param firstSlices the slice of round 1 in each partition
 * @param runId 16 bytes that name the run
 * @param fingerprint SHA-256 of the configuration
 * @param keyId name of the noise key under which the run began
 */
public record RoundGenesis(
    String eventTopicId,
    List<OffsetRange> firstSlices,
    byte[] runId,
    byte[] fingerprint,
    String keyId) {
  public RoundGenesis {
    firstSlices = List.copyOf(firstSlices);
  }
}
