package dev.sotto.topology.core;

import dev.sotto.learner.example.Verdict;

/** Where a trainer's outputs go; they are committed together with its state, or not at all. */
public interface Outbox {
  /** Appends to the ledger. */
  void ledger(String modelId, byte[] entry);

  /** Publishes one record of a snapshot. */
  void snapshot(String modelId, String key, byte[] value);

  /** Publishes the metrics of one window of rounds. */
  void metrics(String modelId, byte[] value);

  /**
   * Tells that a round was closed, and that all of its model that was ever published is behind it; once a round, after
   * what it wrote.
   */
  default void roundClosed(String modelId, long round) {}

  /** Asks for a commit of what has been done so far, soon. */
  void commitSoon();

  /** Sets a record aside that filled its slot with nothing. */
  void deadLetter(long offset, byte[] key, byte[] value, Verdict verdict);
}
