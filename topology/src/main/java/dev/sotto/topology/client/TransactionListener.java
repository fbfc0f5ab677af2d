package dev.sotto.topology.client;

/** Hears of the transactions of the stream threads, each by the thread itself. */
public interface TransactionListener {
  /** The calling thread's producer begins a transaction. */
  void transactionBegan();

  /** The calling thread's transaction, with all that its tasks have done, has committed. */
  void transactionCommitted();

  /** The calling thread's transaction was aborted, or nobody knows what became of it. */
  void transactionLost();
}
