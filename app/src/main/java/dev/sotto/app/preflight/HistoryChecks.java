package dev.sotto.app.preflight;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.training.RoundSlices;
import dev.sotto.serdes.record.PartitionHead;
import dev.sotto.serdes.record.RoundGenesis;
import dev.sotto.topology.admin.PartitionHeadReader;
import dev.sotto.topology.admin.RoundsInitializer;
import dev.sotto.topology.failure.NewHistory;
import dev.sotto.topology.failure.StartFinding;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.read.NewestLedgerEntries;
import dev.sotto.topology.read.PartitionReader;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Whether ledger, state and logs of earlier lives belong to this configuration, and to each other.
 */
final class HistoryChecks {
  private HistoryChecks() {}

  static void run(PreflightContext preflight) {
    String ledger = Names.ledger(preflight.app());
    preflight.check("ledger " + ledger, () -> {
      Map<Integer, PartitionHead> heads = heads(preflight);
      int partitions = preflight.partitions(ledger);
      try (PartitionReader reader =
          new PartitionReader(preflight.service().clients(), PartitionReader.COMMITTED)) {
        NewestLedgerEntries ends =
            new NewestLedgerEntries(preflight.service().clients(), reader, ledger);
        Map<Integer, LedgerEntry> last = ends.last(partitions);
        ledger(preflight, ends, last);
        state(preflight, last, heads);
        positions(preflight, heads, openSlices(preflight, last));
      }
    });
  }

  private static Map<Integer, PartitionHead> heads(PreflightContext preflight) {
    try {
      return PartitionHeadReader.read(preflight.service().clients(), preflight.settings());
    } catch (UnsafeToContinueException refusal) {
      preflight.fault(
          "state", refusal.getMessage(), "the encryption it was written with", "as it says");
      return Map.of();
    }
  }

  private static void ledger(
      PreflightContext preflight, NewestLedgerEntries ends, Map<Integer, LedgerEntry> last) {
    String subject = "ledger " + Names.ledger(preflight.app());
    if (last.isEmpty()) {
      preflight.ok(subject, "no entry yet: the first rounds will begin it");
      return;
    }
    last.forEach(
        (partition, entry) -> preflight.add(ends.check(partition, entry, preflight.settings())));
  }

  private static void state(
      PreflightContext preflight,
      Map<Integer, LedgerEntry> last,
      Map<Integer, PartitionHead> heads) {
    LearnerSettings settings = preflight.settings();
    String id = preflight
        .cluster()
        .visible(settings.trainingTopic())
        .map(TopicDescription::topicId)
        .map(Object::toString)
        .orElse(null);
    heads.forEach((partition, head) -> {
      String subject = "state, partition " + partition;
      LedgerEntry entry = last.get(partition);
      long published = entry == null ? 0 : entry.sequence();
      if (head.ledgerSequence() > published) {
        preflight.fault(
            subject,
            "has paid for ledger entry " + head.ledgerSequence() + ", the ledger ends at "
                + published,
            "a ledger that is whole",
            "restore " + Names.ledger(preflight.app()) + ": without it no guarantee can be stated");
      }
      if (id != null && !head.topicId().equals(id)) {
        preflight.fault(
            subject,
            "belongs to topic id " + head.topicId() + "; " + settings.trainingTopic()
                + " now has id " + id,
            "the very topic that was learned from",
            "it was deleted and made again, and its records are others: restore the topic, or "
                + NewHistory.START);
      }
    });
  }

  /**
   * Where slices are summed: whether the event topic is the one that was begun with, and where its
   * open slices begin.
   */
  private static Map<TopicPartition, Long> openSlices(
      PreflightContext preflight, Map<Integer, LedgerEntry> last) {
    LearnerSettings settings = preflight.settings();
    if (!settings.layout().sumsParts()) {
      return Map.of();
    }
    String control = Names.control(preflight.app());
    RoundGenesis genesis = preflight.partitions(control) == 0
        ? null
        : RoundsInitializer.stored(preflight.service().clients(), settings).orElse(null);
    if (genesis == null && !last.isEmpty()) {
      preflight.fault(
          "topic " + control,
          "lacks the model's beginning, although rounds are paid for",
          "the topic that the learner made at its first start",
          "restore it, or " + NewHistory.START);
    }
    TopicDescription events = preflight.cluster().visible(settings.eventTopic()).orElse(null);
    if (genesis == null || events == null) {
      return Map.of();
    }
    StartFinding same = RoundsInitializer.events(
        settings, genesis, events.topicId().toString(), events.partitions().size());
    if (same.isFault()) {
      preflight.add(same);
      return Map.of();
    }
    RoundSlices slicing = new RoundSlices(genesis.firstSlices());
    long closed = last.containsKey(0) ? last.get(0).round() : 0;
    return IntStream.range(0, slicing.partitions())
        .boxed()
        .collect(Collectors.toMap(
            each -> new TopicPartition(settings.eventTopic(), each),
            each -> slicing.start(each, closed + 1)));
  }

  /** What is not learned yet must still be there. */
  private static void positions(
      PreflightContext preflight,
      Map<Integer, PartitionHead> heads,
      Map<TopicPartition, Long> openSlices) {
    LearnerSettings settings = preflight.settings();
    Map<TopicPartition, Long> needed =
        preflight.cluster().committed(settings.app()).entrySet().stream()
            .filter(each -> each.getKey().topic().equals(settings.eventTopic())
                || each.getKey().topic().equals(settings.trainingTopic()))
            .collect(Collectors.toMap(Map.Entry::getKey, each -> offset(each.getValue())));
    heads.forEach((partition, head) -> {
      TopicPartition training = new TopicPartition(settings.trainingTopic(), partition);
      if (head.order() == null) {
        needed.merge(training, head.position(), Math::min);
      } else { // of the events the group's offsets say only where learning began
        needed.put(training, head.order().nextAnnouncement());
        head.order()
            .partitions()
            .forEach(each ->
                needed.put(new TopicPartition(settings.eventTopic(), each.partition()), each.to()));
      }
    });
    openSlices.forEach((where, offset) -> needed.merge(where, offset, Math::min));
    needed.keySet().removeIf(each -> each.partition() >= preflight.partitions(each.topic()));
    if (needed.isEmpty()) {
      return;
    }
    held(preflight.findings(), needed, preflight.cluster().beginnings(needed.keySet()));
  }

  /**
   * Compares what is still held with what is needed. No message has a committed offset, which is
   * inside.
   *
   * @param needed the first offset that is not learned yet
   * @param held the first offset that is there
   */
  static void held(
      PreflightFindings findings,
      Map<TopicPartition, Long> needed,
      Map<TopicPartition, Long> held) {
    boolean sound = true;
    for (Map.Entry<TopicPartition, Long> each : needed.entrySet()) {
      long first = held.get(each.getKey());
      if (first > each.getValue()) {
        sound = false;
        findings.fault(
            "records of " + each.getKey(),
            "begin at offset " + first + ", after the record from which learning has to go on",
            "all records that are not learned yet",
            "what is gone cannot be learned any more: " + NewHistory.START
                + ", and raise retention.ms");
      }
    }
    if (sound) {
      findings.ok("records not learned yet", "all are still held");
    }
  }

  private static long offset(OffsetAndMetadata committed) {
    return committed.offset();
  }
}
