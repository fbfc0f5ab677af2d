package dev.sotto.topology.status;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * When each stream thread took the first record that is not committed yet, and when it last
 * committed. Kafka begins a transaction with the first write, and only some records cause one; so
 * its beginnings and aborts are content, and count for nothing here (docs/privacy.md, "What is
 * released, and to whom").
 */
final class TransactionTimes {
  private static final long NONE = Long.MIN_VALUE;

  private record Span(long taken, long committed) {}

  private final Map<Thread, Span> threads = new ConcurrentHashMap<>();
  private final LongSupplier nanos;

  TransactionTimes(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** The calling thread takes a record. */
  void taken() {
    Span span = threads.get(Thread.currentThread());
    if (span == null || span.taken() == NONE) {
      long now = nanos.getAsLong();
      threads.put(Thread.currentThread(), new Span(now, span == null ? now : span.committed()));
    }
  }

  /** What the calling thread has taken is committed. */
  void committed() {
    threads.put(Thread.currentThread(), new Span(NONE, nanos.getAsLong()));
  }

  /** What the calling thread has taken is committed, or is left to whoever takes the task over. */
  void dropped() {
    threads.computeIfPresent(
        Thread.currentThread(), (thread, before) -> new Span(NONE, before.committed()));
  }

  List<TransactionStatus> read() {
    threads.keySet().removeIf(thread -> !thread.isAlive());
    long now = nanos.getAsLong();
    return threads.entrySet().stream()
        .map(entry -> {
          Span span = entry.getValue();
          Duration open =
              span.taken() == NONE ? Duration.ZERO : Duration.ofNanos(now - span.taken());
          return new TransactionStatus(
              entry.getKey().getName(), open, Duration.ofNanos(now - span.committed()));
        })
        .sorted(Comparator.comparing(TransactionStatus::thread))
        .toList();
  }
}
