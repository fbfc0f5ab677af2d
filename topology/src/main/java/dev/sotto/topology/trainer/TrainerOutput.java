package dev.sotto.topology.trainer;

import dev.sotto.topology.log.RecordFault;

/** Where a trainer's outputs go; they are committed together with its state, or not at all. */
public interface TrainerOutput {
  /** Appends to the ledger. */
  void ledger(String modelId, byte[] entry);

  /** Publishes one record of a snapshot. */
  void snapshot(String modelId, String key, byte[] value);

  /** Publishes the metrics of one window of rounds. */
  void metrics(String modelId, byte[] value);

  /**
   * Tells that a version has ended, and that all of its model that was ever published is behind it;
   * once a version, after what it wrote.
   *
   * @param firstRound of the version
   * @param round the last one, its number
   */
  default void versionClosed(String modelId, long firstRound, long round) {}

  /** Asks for a commit of what has been done so far, soon. */
  void commitSoon();

  /**
   * Sets a record aside that filled its slot with nothing.
   *
   * @param partition of the event
   * @param offset of the event
   * @param appended its log time, 0 or below where it is not known
   */
  void deadLetter(
      int partition, long offset, long appended, byte[] key, byte[] value, RecordFault fault);
}
