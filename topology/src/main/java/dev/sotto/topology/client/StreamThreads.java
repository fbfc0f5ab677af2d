package dev.sotto.topology.client;

import java.util.function.LongSupplier;

/**
 * What the stream threads of one instance have under way between Kafka's clients and the
 * processors: records that wait, transactions that are open, and what is to be written before a
 * stop. It decides when is read and committed, and nothing that is published. Safe for use by
 * several threads.
 */
public final class StreamThreads {
  private final BufferedEvents buffered = new BufferedEvents();
  private final CleanStop stop = new CleanStop();
  private final OpenTransactions transactions;

  /**
   * Threads of which nothing is known yet.
   *
   * @param nanos the clock
   */
  public StreamThreads(LongSupplier nanos) {
    this.transactions = new OpenTransactions(nanos);
  }

  /** The records that were fetched and wait for their processors. */
  public BufferedEvents buffered() {
    return buffered;
  }

  /** The stop of the instance. */
  public CleanStop stop() {
    return stop;
  }

  /** Their transactions, each one of all tasks of a thread. */
  public OpenTransactions transactions() {
    return transactions;
  }
}
