package dev.sotto.topology.client;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * When each stream thread took the first record that is not committed yet, and when it last
 * committed. Kafka begins a transaction with the first write, and only some records cause one; so
 * its beginnings and aborts are content, and count for nothing here (docs/privacy.md, "What is
 * released, and to whom").
 */
public final class OpenTransactions {
  private static final long NONE = Long.MIN_VALUE;

  private record Span(long taken, long committed) {}

  /** Of one thread, which alone writes it. */
  final class Holder {
    private final Thread thread = Thread.currentThread();
    private volatile Span span;
    private long began = NONE; // the transaction that is open; only its thread looks, as below
    private Set<Object> askers = new HashSet<>(); // since it began
    private int askedBefore; // by how many, in the one before

    /** Whether it is the calling thread's. */
    boolean isMine() {
      return thread == Thread.currentThread();
    }

    /** The thread takes a record. */
    void taken() {
      Span known = span;
      if (known == null || known.taken() == NONE) {
        long now = nanos.getAsLong();
        span = new Span(now, known == null ? now : known.committed());
      }
    }
  }

  // No ThreadLocal: its values would name this object, and so keep it for as long as the thread
  // lives.
  private final Map<Thread, Holder> threads = new ConcurrentHashMap<>();
  private final LongSupplier nanos;

  OpenTransactions(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** What the calling thread tells of its records. */
  Holder own() {
    return threads.computeIfAbsent(Thread.currentThread(), mine -> new Holder());
  }

  /** The calling thread takes a record. */
  public void taken() {
    own().taken();
  }

  /** The calling thread's producer begins a transaction. */
  public void began() {
    Holder mine = own();
    mine.began = nanos.getAsLong();
    mine.askedBefore = mine.askers.size();
    mine.askers.clear();
  }

  /**
   * What of a time since the calling thread's transaction began is left to one of its tasks. All
   * that ask have the same share of half of it, for being handed records, and as much for reading
   * on: whoever comes first leaves as much to the others.
   *
   * @param limit nanoseconds that a transaction bears
   * @param task who asks
   */
  public long left(long limit, Object task) {
    Holder mine = own();
    mine.askers.add(task);
    long share = limit / (2L * Math.max(mine.askedBefore, mine.askers.size()));
    return Math.min(share, limit - open());
  }

  /** The calling thread's producer has no transaction any more. */
  public void ended() {
    own().began = NONE;
  }

  /** Nanoseconds since the calling thread's transaction began; 0 where none is open. */
  public long open() {
    long began = own().began;
    return began == NONE ? 0 : nanos.getAsLong() - began;
  }

  /** What the clock shows, in nanoseconds. */
  public long now() {
    return nanos.getAsLong();
  }

  /** What the calling thread has taken is committed. */
  public void committed() {
    own().span = new Span(NONE, nanos.getAsLong());
  }

  /** What the calling thread has taken is committed, or is left to whoever takes the task over. */
  public void dropped() {
    Holder holder = threads.get(Thread.currentThread());
    if (holder != null && holder.span != null) {
      holder.span = new Span(NONE, holder.span.committed());
    }
  }

  /** Makes what is reported of one thread. */
  public interface Reading<T> {
    /**
     * Of one thread.
     *
     * @param open since the first record that is not committed was taken; zero without one
     * @param sinceCommit since the last successful commit, or since the thread's first record
     */
    T of(String thread, Duration open, Duration sinceCommit);
  }

  /** Those of the threads that are alive, by their names. */
  public <T> List<T> read(Reading<T> reading) {
    threads.keySet().removeIf(thread -> !thread.isAlive());
    long now = nanos.getAsLong();
    return threads.entrySet().stream()
        .filter(entry -> entry.getValue().span != null)
        .sorted(Comparator.comparing(entry -> entry.getKey().getName()))
        .map(entry -> {
          Span span = entry.getValue().span;
          Duration open =
              span.taken() == NONE ? Duration.ZERO : Duration.ofNanos(now - span.taken());
          return reading.of(
              entry.getKey().getName(), open, Duration.ofNanos(now - span.committed()));
        })
        .toList();
  }
}
