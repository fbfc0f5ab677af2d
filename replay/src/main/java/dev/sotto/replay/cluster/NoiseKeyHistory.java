package dev.sotto.replay.cluster;

/** The noise keys under which a published run was computed. */
@FunctionalInterface
public interface NoiseKeyHistory {
  /** The name of the key of a round, as the ledger has it; null where the configuration decides. */
  String keyOf(String modelId, long round);

  /**
   * The newest round of a model that is to come out; models that are retired are learned up to it.
   */
  default long rounds(String modelId) {
    return Long.MAX_VALUE;
  }
}
