package dev.sotto.app.lineage;

import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.failure.TransientException;
import dev.sotto.topology.read.CommittedTopic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Hands the ledger on as events, from where the destination has it. The ledger is read from its
 * beginning at each start: what is there already must be the same entries, by their hashes, and
 * is not handed on again.
 */
public final class LineageRun {
  private static final int BATCH = 256;
  private static final int TRIES = 5;
  private static final long LONGEST_PAUSE_MILLIS = 60_000;
  private static final Duration WAIT = Duration.ofMillis(500);

  private final LineageEvents events;
  private final LineageSink sink;
  private final boolean patient;
  private final LongConsumer pause;
  private final List<EntryEvents> waiting = new ArrayList<>();
  private long written;

  /**
   * A run over one ledger.
   *
   * @param patient whether a destination that does not answer is tried for ever
   * @param pause takes milliseconds
   */
  LineageRun(LineageEvents events, LineageSink sink, boolean patient, LongConsumer pause) {
    this.events = events;
    this.sink = sink;
    this.patient = patient;
    this.pause = pause;
  }

  /** Hands on what is committed; the number of entries that were new. */
  long toTheEnd(CommittedTopic ledger) {
    ledger.readToEnd(this::accept);
    flush();
    return written;
  }

  /** Does not return: hands on what is committed, and what comes. */
  void follow(CommittedTopic ledger) {
    toTheEnd(ledger);
    while (!Thread.currentThread().isInterrupted()) {
      ledger.follow(WAIT, this::accept);
      flush();
    }
  }

  void accept(ConsumerRecord<byte[], byte[]> record) {
    EntryEvents made = events.of(record);
    LedgerPlace known = sink.places().get(record.partition());
    if (known == null || made.place().sequence() > known.sequence()) {
      waiting.add(made);
      if (waiting.size() >= BATCH) {
        flush();
      }
    } else if (made.place().sequence() == known.sequence() && !made.place().equals(known)) {
      throw new SottoException(
          FailureKind.UNVERIFIED,
          "the destination has events of another ledger: entry " + known.sequence()
              + " of partition " + known.partition()
              + " has another hash; give each ledger a destination of its own");
    }
  }

  /** Hands on what waits. */
  void flush() {
    for (int tries = 1; !waiting.isEmpty(); tries++) {
      try {
        sink.write(waiting);
        written += waiting.size();
        waiting.clear();
      } catch (TransientException failed) {
        if (!patient && tries >= TRIES) {
          throw failed;
        }
        forgetWritten();
        pause.accept(Math.min(LONGEST_PAUSE_MILLIS, 1_000L << Math.min(tries, 10)));
      }
    }
  }

  private void forgetWritten() {
    int before = waiting.size();
    waiting.removeIf(each -> {
      LedgerPlace there = sink.places().get(each.place().partition());
      return there != null && there.sequence() >= each.place().sequence();
    });
    written += before - waiting.size();
  }
}
