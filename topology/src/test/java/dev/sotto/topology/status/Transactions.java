package dev.sotto.topology.status;

/** Tells a status of transactions, as the producer of a stream thread does. */
public final class Transactions {
  private Transactions() {}

  public static void begin(LearnerStatus status) {
    status.transactionBegan();
  }

  public static void commit(LearnerStatus status) {
    status.transactionCommitted();
  }
}
