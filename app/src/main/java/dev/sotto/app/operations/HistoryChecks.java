package dev.sotto.app.operations;

import dev.sotto.app.operations.Preflight.Flight;
import dev.sotto.learner.privacy.LedgerEntry;
import dev.sotto.learner.round.Slicing;
import dev.sotto.serdes.record.PartitionHead;
import dev.sotto.serdes.record.RoundGenesis;
import dev.sotto.topology.Layout;
import dev.sotto.topology.LearnerSettings;
import dev.sotto.topology.Names;
import dev.sotto.topology.StoredGenesis;
import dev.sotto.topology.StoredHeads;
import dev.sotto.topology.core.Refusal;
import dev.sotto.topology.read.PartitionReader;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** Whether ledger, state and logs of earlier lives belong to this configuration, and to each other. */
final class HistoryChecks {
  private HistoryChecks() {}

  static void run(Flight flight) {
    String ledger = Names.ledger(flight.app());
    flight.findings().look("ledger " + ledger, () -> {
      Map<Integer, PartitionHead> heads = heads(flight);
      int partitions = flight.partitions(ledger);
      try (PartitionReader reader =
          new PartitionReader(flight.config().service().clients(), PartitionReader.COMMITTED)) {
        LedgerEnds ends = new LedgerEnds(reader, ledger);
        Map<Integer, LedgerEntry> last = ends.last(partitions);
        ledger(flight, ends, last);
        state(flight, last, heads);
        positions(flight, heads, openSlices(flight, last));
      }
    });
  }

  private static Map<Integer, PartitionHead> heads(Flight flight) {
    try {
      return StoredHeads.read(
          flight.config().service().clients(), flight.config().learner());
    } catch (Refusal refusal) {
      flight
          .findings()
          .fault("state", refusal.getMessage(), "the encryption it was written with", "as it says");
      return Map.of();
    }
  }

  private static void ledger(Flight flight, LedgerEnds ends, Map<Integer, LedgerEntry> last) {
    String subject = "ledger " + Names.ledger(flight.app());
    if (last.isEmpty()) {
      flight.findings().ok(subject, "no entry yet: the first rounds will begin it");
      return;
    }
    boolean sound = true;
    for (Map.Entry<Integer, LedgerEntry> each : last.entrySet()) {
      var mismatch =
          ends.mismatch(each.getKey(), each.getValue(), flight.config().learner());
      if (mismatch.isPresent()) {
        sound = false;
        var what = mismatch.get();
        flight
            .findings()
            .fault(
                subject + ", partition " + each.getKey(), what.found(), what.needed(), what.fix());
      }
    }
    if (sound) {
      flight
          .findings()
          .ok(
              subject,
              last.entrySet().stream()
                  .map(each -> "partition " + each.getKey() + ": round "
                      + each.getValue().round() + " of model " + each.getValue().modelId())
                  .collect(Collectors.joining("; ", "", "; of this run")));
    }
  }

  private static void state(
      Flight flight, Map<Integer, LedgerEntry> last, Map<Integer, PartitionHead> heads) {
    LearnerSettings settings = flight.config().learner();
    String id = flight
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
        flight
            .findings()
            .fault(
                subject,
                "has paid for ledger entry " + head.ledgerSequence() + ", the ledger ends at "
                    + published,
                "a ledger that is whole",
                "restore " + Names.ledger(flight.app())
                    + ": without it no guarantee can be stated");
      }
      if (id != null && !head.topicId().equals(id)) {
        flight
            .findings()
            .fault(
                subject,
                "belongs to topic id " + head.topicId() + "; " + settings.trainingTopic()
                    + " now has id " + id,
                "the very topic that was learned from",
                "restore the topic, or start a new app.id: its records are others");
      }
    });
  }

  /** In layout rounds: whether the event topic is the one that was begun with, and where its open slices begin. */
  private static Map<TopicPartition, Long> openSlices(
      Flight flight, Map<Integer, LedgerEntry> last) {
    LearnerSettings settings = flight.config().learner();
    if (settings.layout() != Layout.ROUNDS) {
      return Map.of();
    }
    String control = Names.control(flight.app());
    RoundGenesis genesis = flight.partitions(control) == 0
        ? null
        : StoredGenesis.read(flight.config().service().clients(), settings).orElse(null);
    if (genesis == null && !last.isEmpty()) {
      flight
          .findings()
          .fault(
              "topic " + control,
              "lacks the model's beginning, although rounds are paid for",
              "the topic that the learner made at its first start",
              "restore it, or start a new app.id whose budget accounts for what was spent");
    }
    TopicDescription events = flight.cluster().visible(settings.eventTopic()).orElse(null);
    if (genesis == null || events == null) {
      return Map.of();
    }
    String subject = "event topic " + settings.eventTopic();
    Slicing slicing = new Slicing(genesis.firstSlices());
    if (!genesis.eventTopicId().equals(events.topicId().toString())) {
      flight
          .findings()
          .fault(
              subject,
              "has topic id " + events.topicId() + "; the model was begun on "
                  + genesis.eventTopicId(),
              "the very topic that was learned from",
              "restore the topic, or start a new app.id: its records are others");
      return Map.of();
    }
    if (slicing.partitions() != events.partitions().size()) {
      flight
          .findings()
          .fault(
              subject,
              events.partitions().size() + " partitions",
              slicing.partitions() + ", over which the model was begun: its slices would be others",
              "start a new app.id whose budget accounts for what was spent");
      return Map.of();
    }
    long closed = last.containsKey(0) ? last.get(0).round() : 0;
    return IntStream.range(0, slicing.partitions())
        .boxed()
        .collect(Collectors.toMap(
            each -> new TopicPartition(settings.eventTopic(), each),
            each -> slicing.start(each, closed + 1)));
  }

  /** What is not learned yet must still be there. */
  private static void positions(
      Flight flight, Map<Integer, PartitionHead> heads, Map<TopicPartition, Long> openSlices) {
    LearnerSettings settings = flight.config().learner();
    Map<TopicPartition, Long> needed =
        flight.cluster().committed(settings.app()).entrySet().stream()
            .filter(each -> each.getKey().topic().equals(settings.eventTopic())
                || each.getKey().topic().equals(settings.trainingTopic()))
            .collect(Collectors.toMap(Map.Entry::getKey, each -> offset(each.getValue())));
    heads.forEach((partition, head) -> needed.merge(
        new TopicPartition(settings.trainingTopic(), partition), head.position(), Math::min));
    openSlices.forEach((where, offset) -> needed.merge(where, offset, Math::min));
    needed.keySet().removeIf(each -> each.partition() >= flight.partitions(each.topic()));
    if (needed.isEmpty()) {
      return;
    }
    Map<TopicPartition, Long> held = flight.cluster().beginnings(needed.keySet());
    boolean sound = true;
    for (Map.Entry<TopicPartition, Long> each : needed.entrySet()) {
      long first = held.get(each.getKey());
      if (first > each.getValue()) {
        sound = false;
        flight
            .findings()
            .fault(
                "records of " + each.getKey(),
                "begin at offset " + first,
                "offset " + each.getValue() + ", from which learning has to go on",
                "what is gone cannot be learned any more: start a new app.id whose budget accounts for what was"
                    + " spent, and raise retention.ms");
      }
    }
    if (sound) {
      flight.findings().ok("records not learned yet", "all are still held");
    }
  }

  private static long offset(OffsetAndMetadata committed) {
    return committed.offset();
  }
}
