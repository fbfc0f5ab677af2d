package dev.sotto.replay.cluster;

/** The noise keys under which a published run was computed. */
@FunctionalInterface
public interface NoiseKeyHistory {
  /** The name of the key of a round, as the ledger has it; null where the configuration decides. */
  String keyOf(String modelId, long round);
}
