package dev.sotto.topology.status;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongFunction;

/**
 * One task: what has committed, for all to read, and what the open transaction has done, which only
 * the thread that owns the task touches.
 */
final class PartitionStatus {
  private record Figures(long round, long roundAt, long openSlots, long snapshot, long snapshotAt) {
    Figures withRound(long number, long now) {
      return new Figures(Math.max(round, number), now, openSlots, snapshot, snapshotAt);
    }

    Figures withSnapshot(long number, long now) {
      return new Figures(round, roundAt, openSlots, Math.max(snapshot, number), now);
    }

    Figures withOpenSlots(long slots) {
      return slots == openSlots ? this : new Figures(round, roundAt, slots, snapshot, snapshotAt);
    }
  }

  private record Wait(long round, Map<Integer, Long> since) {}

  final Thread owner = Thread.currentThread();
  final long openedAt;
  final BooleanSupplier behind;
  private final ToLongFunction<String> openSlots;
  private final Map<String, Figures> shown = new ConcurrentHashMap<>();
  private volatile boolean beyond;
  private volatile long lastRoundAt;
  private volatile Wait wait = new Wait(0, Map.of());

  private final Map<String, Long> closedRounds = new HashMap<>();
  private final Map<String, Long> published = new HashMap<>();
  private long closed;
  private Wait nextWait;

  PartitionStatus(long now, ToLongFunction<String> openSlots, BooleanSupplier behind) {
    this.openedAt = now;
    this.lastRoundAt = now;
    this.openSlots = openSlots;
    this.behind = behind;
  }

  /** A model whose rounds were committed before. */
  void known(String modelId, long round, BooleanSupplier place) {
    show(modelId, round, openedAt, place);
  }

  void versionClosed(String modelId, long firstRound, long round) {
    closedRounds.merge(modelId, round, Math::max);
    closed += round - firstRound + 1;
  }

  void snapshotPublished(String modelId, long round) {
    published.merge(modelId, round, Math::max);
  }

  void awaiting(long round, Set<Integer> partitions, long now) {
    Map<Integer, Long> before = (nextWait == null ? wait : nextWait).round() == round
        ? (nextWait == null ? wait : nextWait).since()
        : Map.of();
    Map<Integer, Long> since = new HashMap<>();
    partitions.forEach(each -> since.put(each, before.getOrDefault(each, now)));
    nextWait = new Wait(round, Map.copyOf(since));
  }

  void awaitingSince(long round, Set<Integer> partitions, long now) {
    Map<Integer, Long> since = new HashMap<>();
    partitions.forEach(each -> since.put(each, now));
    wait = new Wait(round, Map.copyOf(since));
  }

  /**
   * Shows what the transaction has done.
   *
   * @param place takes the place of one more model, where there is one
   * @return rounds that it closed
   */
  long commit(long now, BooleanSupplier place) {
    closedRounds.forEach((modelId, round) -> {
      show(modelId, round, now, place);
      lastRoundAt = now;
    });
    published.forEach((modelId, round) ->
        shown.computeIfPresent(modelId, (id, figures) -> figures.withSnapshot(round, now)));
    shown.replaceAll((modelId, figures) -> figures.withOpenSlots(openSlots.applyAsLong(modelId)));
    if (nextWait != null) {
      wait = nextWait;
    }
    long rounds = closed;
    abort();
    return rounds;
  }

  /** Forgets what the transaction has done. */
  void abort() {
    closedRounds.clear();
    published.clear();
    closed = 0;
    nextWait = null;
  }

  private void show(String modelId, long round, long now, BooleanSupplier place) {
    if (shown.containsKey(modelId)) {
      shown.computeIfPresent(modelId, (id, figures) -> figures.withRound(round, now));
    } else if (place.getAsBoolean()) {
      shown.put(modelId, new Figures(round, now, -1, -1, now));
    } else {
      beyond = true;
    }
  }

  int models() {
    return shown.size();
  }

  boolean hidesModels() {
    return beyond;
  }

  /** When the last round was committed, or the task began. */
  long lastRoundAt() {
    return lastRoundAt;
  }

  void read(long now, java.util.function.Consumer<ModelStatus> visitor) {
    shown.forEach((modelId, figures) -> visitor.accept(new ModelStatus(
        modelId,
        figures.round(),
        Duration.ofNanos(now - figures.roundAt()),
        figures.openSlots() < 0 ? OptionalLong.empty() : OptionalLong.of(figures.openSlots()),
        figures.snapshot() < 0
            ? Optional.empty()
            : Optional.of(new ModelStatus.Snapshot(
                figures.snapshot(), Duration.ofNanos(now - figures.snapshotAt()))))));
  }

  void readAwaited(long now, java.util.function.Consumer<AwaitedPartition> visitor) {
    Wait current = wait;
    current
        .since()
        .forEach((partition, since) -> visitor.accept(
            new AwaitedPartition(partition, current.round(), Duration.ofNanos(now - since))));
  }
}
