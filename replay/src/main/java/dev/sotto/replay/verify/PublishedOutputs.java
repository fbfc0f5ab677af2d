package dev.sotto.replay.verify;

/**
 * What a learner has published: committed records of its topics, each partition in order, to be
 * read any number of times.
 */
public interface PublishedOutputs {
  /** The ledger, from its first entry on. */
  void ledger(Visitor visitor);

  /** The snapshots that are still there. */
  void snapshots(Visitor visitor);

  /** The private metrics that are still there; none where the learner publishes none. */
  void metrics(Visitor visitor);

  /** Takes one record. */
  @FunctionalInterface
  interface Visitor {
    /** A record; key and value may be null. */
    void take(int partition, long offset, byte[] key, byte[] value);
  }
}
