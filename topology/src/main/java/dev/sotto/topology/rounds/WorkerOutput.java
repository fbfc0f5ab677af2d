package dev.sotto.topology.rounds;

import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.record.RoundPart;
import dev.sotto.topology.log.RecordFault;

/** Where a worker's outputs go. */
public interface WorkerOutput {
  /** Sends one piece of a part to the coordinator. */
  void part(RoundPart piece);

  /** The last piece of a part has been sent: the coordinator may see it once it is committed. */
  void partSent(long round);

  /** Asks for a commit of what has been done so far, soon. */
  void commitSoon();

  /** Sets a record aside that filled its slot with nothing. */
  void deadLetter(long offset, byte[] key, byte[] value, RecordFault fault);

  /**
   * A slot has been filled.
   *
   * @param round the number of its round, from 1
   * @param place in its round, from 0
   */
  default void filled(long round, long place, Slot slot) {}
}
