package dev.sotto.replay.cluster;

/** Under which noise keys a run was published that is to come out again as it was. */
@FunctionalInterface
public interface KeyHistory {
  /** The name of the key of a round, as the ledger has it; null where the configuration decides. */
  String keyOf(String modelId, long round);
}
