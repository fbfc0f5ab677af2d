package dev.sotto.app.scale;

import dev.sotto.topology.read.ReaderConfig;
import dev.sotto.topology.settings.Names;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;

/** A reader of committed ledger entries that notes when each of them could be read. */
final class LedgerWatch implements Runnable {
  private final String servers;
  private final List<TopicPartition> homes;
  private final List<List<Long>> arrivals = new ArrayList<>();
  private volatile boolean stopped;

  LedgerWatch(String servers, String app, int count) {
    this.servers = servers;
    this.homes = IntStream.range(0, count)
        .mapToObj(each -> new TopicPartition(Names.ledger(app), each))
        .toList();
    homes.forEach(each -> arrivals.add(new ArrayList<>()));
  }

  @Override
  public void run() {
    try (Consumer<byte[], byte[]> consumer =
        ReaderConfig.consumer(Map.of("bootstrap.servers", servers), "read_committed")) {
      consumer.assign(homes);
      consumer.seekToBeginning(homes);
      while (!stopped) {
        var records = consumer.poll(Duration.ofMillis(100));
        long now = System.nanoTime();
        synchronized (this) {
          records.forEach(record -> arrivals.get(record.partition()).add(now));
        }
      }
    }
  }

  void stop() {
    stopped = true;
  }

  synchronized long seen() {
    return arrivals.stream().mapToInt(List::size).sum();
  }

  /** Whether every partition has had an entry since. */
  synchronized boolean allSince(long nanos) {
    return arrivals.stream()
        .allMatch(each -> !each.isEmpty() && each.get(each.size() - 1) - nanos >= 0);
  }

  /**
   * The longest time since then without an entry, in seconds, of the partition that had the
   * longest.
   */
  synchronized double longestPause(long since) {
    long longest = 0;
    for (List<Long> each : arrivals) {
      long before = since;
      for (long arrival : each) {
        if (arrival - since > 0) {
          longest = Math.max(longest, arrival - before);
          before = arrival;
        }
      }
    }
    return longest / (double) TimeUnit.SECONDS.toNanos(1);
  }
}
