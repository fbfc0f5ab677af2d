package dev.sotto.topology.status;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** When each stream thread began its transaction, and when it last committed one. */
final class Transactions {
  private static final long NONE = Long.MIN_VALUE;

  private record Span(long begun, long committed) {}

  private final Map<Thread, Span> threads = new ConcurrentHashMap<>();
  private final LongSupplier nanos;

  Transactions(LongSupplier nanos) {
    this.nanos = nanos;
  }

  void begun() {
    long now = nanos.getAsLong();
    threads.merge(
        Thread.currentThread(),
        new Span(now, now),
        (before, first) -> new Span(now, before.committed()));
  }

  /** The open transaction has ended. */
  void ended(boolean committed) {
    long now = nanos.getAsLong();
    threads.computeIfPresent(
        Thread.currentThread(),
        (thread, before) -> new Span(NONE, committed ? now : before.committed()));
  }

  List<TransactionStatus> read() {
    threads.keySet().removeIf(thread -> !thread.isAlive());
    long now = nanos.getAsLong();
    return threads.entrySet().stream()
        .map(entry -> {
          Span span = entry.getValue();
          Duration open =
              span.begun() == NONE ? Duration.ZERO : Duration.ofNanos(now - span.begun());
          return new TransactionStatus(
              entry.getKey().getName(), open, Duration.ofNanos(now - span.committed()));
        })
        .sorted(Comparator.comparing(TransactionStatus::thread))
        .toList();
  }
}
