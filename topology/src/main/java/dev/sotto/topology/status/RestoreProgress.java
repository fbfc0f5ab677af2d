package dev.sotto.topology.status;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.StateRestoreListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which stores are being restored, and how far; says so in the log every few seconds. Safe for use
 * by several threads.
 */
public final class RestoreProgress implements StateRestoreListener {
  private static final Logger LOG = LoggerFactory.getLogger(RestoreProgress.class);
  private static final long REPORT = TimeUnit.SECONDS.toNanos(5);

  private static final int MOST_NAMED = 10;

  private record Place(String store, int partition) {}

  private record Progress(long since, long from, long end, long at) {
    int tenths() {
      return end <= from ? 10 : (int) Math.max(0, Math.min(10, (at - from) * 10 / (end - from)));
    }
  }

  private final Map<Place, Progress> running = new ConcurrentHashMap<>();
  private final LongSupplier nanos;
  private volatile boolean progressed;
  private long nextReport;

  /** No restores yet. */
  public RestoreProgress() {
    this(System::nanoTime);
  }

  RestoreProgress(LongSupplier nanos) {
    this.nanos = nanos;
  }

  @Override
  public void onRestoreStart(TopicPartition changelog, String store, long from, long end) {
    long now = nanos.getAsLong();
    synchronized (this) {
      if (running.isEmpty()) {
        nextReport = now + REPORT; // short restores are not worth a line
      }
      running.put(new Place(store, changelog.partition()), new Progress(now, from, end, from));
    }
  }

  /** Batch ends are offsets of records, so that what follows the last is read too. */
  @Override
  public void onBatchRestored(TopicPartition changelog, String store, long batchEnd, long count) {
    progressed |= count > 0;
    running.computeIfPresent(
        new Place(store, changelog.partition()),
        (place, before) -> new Progress(before.since(), before.from(), before.end(), batchEnd + 1));
    report();
  }

  @Override
  public void onRestoreEnd(TopicPartition changelog, String store, long total) {
    progressed = true;
    running.remove(new Place(store, changelog.partition()));
  }

  @Override
  public void onRestoreSuspended(TopicPartition changelog, String store, long total) {
    running.remove(new Place(store, changelog.partition()));
  }

  private synchronized void report() {
    long now = nanos.getAsLong();
    if (now - nextReport >= 0) {
      nextReport = now + REPORT;
      LOG.info("{}", describe());
    }
  }

  /** One line for operators. */
  public String describe() {
    return "restoring "
        + running().stream()
            .limit(MOST_NAMED)
            .map(each -> each.store() + " of partition " + each.partition() + " ("
                + each.tenths() * 10 + " %, for " + each.running().toSeconds() + " s)")
            .collect(Collectors.joining(", "));
  }

  /** What is being restored, by store and partition. */
  public List<RestoreStatus> running() {
    long now = nanos.getAsLong();
    return running.entrySet().stream()
        .map(entry -> new RestoreStatus(
            entry.getKey().store(),
            entry.getKey().partition(),
            entry.getValue().tenths(),
            Duration.ofNanos(now - entry.getValue().since())))
        .sorted(Comparator.comparing(RestoreStatus::store).thenComparing(RestoreStatus::partition))
        .toList();
  }

  /** Whether any restore has ever got on. */
  public boolean haveProgressed() {
    return progressed;
  }
}
