package dev.sotto.app.lineage;

import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.failure.TransientException;
import dev.sotto.topology.read.CommittedTopic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
  private final Pause pause;
  private final List<EntryEvents> waiting = new ArrayList<>();
  private final Map<Integer, LedgerPlace> unseen;
  private long written;

  /** What happens before a destination is tried again. */
  @FunctionalInterface
  public interface Pause {
    /** Waits. */
    void after(TransientException failed, long millis);
  }

  /**
   * A run over one ledger.
   *
   * @param patient whether a destination that does not answer is tried for ever
   */
  LineageRun(LineageEvents events, LineageSink sink, boolean patient, Pause pause) {
    this.events = events;
    this.sink = sink;
    this.patient = patient;
    this.pause = pause;
    this.unseen = new TreeMap<>(sink.places());
  }

  /**
   * Hands a ledger on.
   *
   * @param follow whether it goes on with what comes, and does not return
   * @return the number of entries that were new
   * @throws SottoException where the ledger cannot be read or does not hold, or the destination is
   *     not what it must be
   */
  public static long run(
      Map<String, String> clients,
      LineageNames names,
      LineageTarget target,
      boolean follow,
      Pause pause) {
    try (CommittedTopic ledger = follow
            ? CommittedTopic.followed(clients, names.ledger())
            : new CommittedTopic(clients, names.ledger());
        LineageSink sink = target.open(clients, names)) {
      LineageRun run = new LineageRun(new LineageEvents(names), sink, follow, pause);
      ledger.readToEnd(run::accept);
      run.requireSeen();
      run.flush();
      while (follow && !Thread.currentThread().isInterrupted()) {
        ledger.follow(WAIT, run::accept);
        run.flush();
      }
      return run.written;
    }
  }

  /** Refuses a destination that has more than the ledger that was read. */
  void requireSeen() {
    unseen.values().stream().findFirst().ifPresent(each -> {
      throw another(each, "is not in the ledger");
    });
  }

  void accept(ConsumerRecord<byte[], byte[]> record) {
    EntryEvents made = events.of(record);
    LedgerPlace expected = unseen.get(record.partition());
    if (expected != null && expected.sequence() == made.place().sequence()) {
      if (!expected.equals(made.place())) {
        throw another(expected, "has another hash");
      }
      unseen.remove(record.partition());
    }
    if (isNew(made)) {
      waiting.add(made);
      if (waiting.size() >= BATCH) {
        flush();
      }
    }
  }

  private boolean isNew(EntryEvents made) {
    LedgerPlace there = sink.places().get(made.place().partition());
    return there == null || there.sequence() < made.place().sequence();
  }

  private static SottoException another(LedgerPlace place, String what) {
    return new SottoException(
        FailureKind.UNVERIFIED,
        "the destination has events of another ledger: entry " + place.sequence()
            + " of partition " + place.partition() + " " + what
            + "; where the learner was begun anew, give it a new destination");
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
        pause.after(failed, Math.min(LONGEST_PAUSE_MILLIS, 500L << Math.min(tries, 10)));
      }
    }
  }

  private void forgetWritten() {
    int before = waiting.size();
    waiting.removeIf(each -> !isNew(each));
    written += before - waiting.size();
  }
}
