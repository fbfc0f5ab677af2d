package dev.sotto.app.command;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** How many events a second have come into versions of late, from how many there were when. */
final class LearningRate {
  private static final long WINDOW = TimeUnit.SECONDS.toNanos(15);

  private record Seen(long at, long events) {}

  private final LongSupplier nanos;
  private final Deque<Seen> changes = new ArrayDeque<>(); // oldest first

  LearningRate(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Takes the number of events as of now. */
  void at(long events) {
    long now = nanos.getAsLong();
    if (changes.isEmpty() || changes.peekLast().events() != events) {
      changes.addLast(new Seen(now, events));
    }
    // One change stays that is older than the window, so that rare versions have a rate too.
    while (changes.size() > 2 && now - second().at() >= WINDOW) {
      changes.removeFirst();
    }
  }

  private Seen second() {
    return changes.stream().skip(1).findFirst().orElseThrow();
  }

  /** Over some seconds at least, until now; null as long as nothing has changed. */
  Double perSecond() {
    if (changes.size() < 2) {
      return null;
    }
    Seen first = changes.peekFirst();
    long events = changes.peekLast().events() - first.events();
    long time = nanos.getAsLong() - first.at();
    return time > 0 ? events * 1e9 / time : null;
  }
}
