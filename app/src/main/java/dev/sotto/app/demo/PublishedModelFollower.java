package dev.sotto.app.demo;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.serdes.snapshot.PublishedModel;
import dev.sotto.serdes.snapshot.SnapshotAssembler;
import dev.sotto.topology.read.CommittedTopic;
import dev.sotto.topology.read.LedgerChecker;
import dev.sotto.topology.settings.Names;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** Reads what a learner publishes, from committed data only, as anybody outside can. */
final class PublishedModelFollower implements AutoCloseable {
  private final CommittedTopic ledger;
  private final CommittedTopic snapshots;
  private final Map<String, String> clients;
  private final String app;
  private final LedgerChecker checker = new LedgerChecker();
  private final SnapshotAssembler assembler = new SnapshotAssembler();
  private LedgerEntry newest;
  private PublishedModel model;
  private long firstSeen;
  private long firstSlots;

  PublishedModelFollower(Map<String, String> clients, String app) {
    this.clients = clients;
    this.app = app;
    this.ledger = CommittedTopic.followed(clients, Names.ledger(app));
    this.snapshots = CommittedTopic.followed(clients, Names.snapshots(app));
  }

  void poll(Duration wait) {
    ledger.follow(wait, record -> {
      LedgerEntry entry = checker.accept(record.partition(), record.offset(), record.value());
      newest = entry == null ? newest : entry;
    });
    snapshots.follow(
        Duration.ZERO,
        record ->
            assembler.acceptAny(record.key(), record.value()).ifPresent(each -> model = each));
    if (firstSeen == 0 && newest != null) {
      firstSeen = System.nanoTime();
      firstSlots = newest.slots();
    }
  }

  /** The last committed entry, or null. */
  LedgerEntry newest() {
    return newest;
  }

  /** The last committed model version, or null. */
  PublishedModel model() {
    return model;
  }

  long rounds() {
    return newest == null ? 0 : newest.round();
  }

  double examplesPerSecond() {
    double seconds = (System.nanoTime() - firstSeen) / 1e9;
    return newest == null || newest.slots() == firstSlots
        ? 0
        : (newest.slots() - firstSlots) / seconds;
  }

  /**
   * Why slots below an offset are empty, by the status of their records: exact, so for public data
   * only.
   */
  Map<String, Long> emptySlots(long below) {
    Map<String, Long> reasons = new TreeMap<>();
    try (CommittedTopic letters = CommittedTopic.followed(clients, Names.deadLetters(app))) {
      letters.readToEnd(record -> {
        String offset =
            new String(record.headers().lastHeader("sotto.offset").value(), StandardCharsets.UTF_8);
        if (Long.parseLong(offset) < below) {
          byte[] reason = record.headers().lastHeader("sotto.reason").value();
          reasons.merge(new String(reason, StandardCharsets.UTF_8), 1L, Long::sum);
        }
      });
    }
    return reasons;
  }

  @Override
  public void close() {
    ledger.close();
    snapshots.close();
  }
}
