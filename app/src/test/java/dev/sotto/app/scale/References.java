package dev.sotto.app.scale;

import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.app.crash.SlotChecks;
import dev.sotto.app.live.OrderReplay;
import dev.sotto.app.live.PartitionReplay;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.training.ClosedRound;
import dev.sotto.learner.training.ModelKeys;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.topology.live.Published;
import dev.sotto.topology.read.LedgerChecker;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** What undisturbed learners publish, of the same log, in memory. */
final class References {
  private References() {}

  /** Layout direct with a model per partition. */
  static void eachPartition(Outcome outcome) {
    LearnerSettings settings = outcome.settings();
    check(outcome, settings.eventTopic(), partition -> "model-" + partition, settings.decoder());
  }

  /** Layout ordered: every committed event has one place in the order, which defines the model. */
  static void ordered(Outcome outcome) {
    LearnerSettings settings = outcome.settings();
    OrderReplay replay = new OrderReplay(
        outcome.read(settings.eventTopic()), outcome.read(Names.order(settings.app())));
    List<ConsumerRecord<byte[], byte[]>> log = replay.inOrder();
    assertThat(log)
        .hasSize((int) outcome.written())
        .containsExactlyInAnyOrderElementsOf(replay.events());
    var ledger = outcome.read(Names.ledger(settings.app()));
    LedgerChecker chain = new LedgerChecker();
    List<LedgerEntry> entries = ledger.stream()
        .map(each -> chain.accept(each.partition(), each.offset(), each.value()))
        .toList();
    assertThat(chain.faults()).isEmpty();
    assertThat(entries)
        .extracting(LedgerEntry::snapshotDigest)
        .containsExactlyElementsOf(digests(settings, "model", settings.decoder().get(), log));
    List<String> published = lines(ledger, 0);
    published.addAll(lines(outcome.read(Names.snapshots(settings.app())), 0));
    assertThat(published).isEqualTo(replay.bytes(settings));
  }

  /**
   * Layout rounds: slice after slice of offsets, the same of every partition; what has no record
   * fills its slot.
   */
  static void slices(Outcome outcome) {
    LearnerSettings settings = outcome.settings();
    List<LedgerEntry> ledger = outcome.read(Names.ledger(settings.app())).stream()
        .map(each -> Codecs.LEDGER.decode(each.value()))
        .toList();
    Map<Integer, Map<Long, ConsumerRecord<byte[], byte[]>>> events = new TreeMap<>();
    outcome
        .read(settings.eventTopic())
        .forEach(each -> events
            .computeIfAbsent(each.partition(), key -> new TreeMap<>())
            .put(each.offset(), each));
    int width = Shape.BATCH / events.size();
    ModelLearner learner = ModelLearner.start(
        settings.plan(), ModelKeys.of(settings.key()), "model", settings.runName(), null);
    EventDecoder decoder = settings.decoder().get();
    Slot slot = new Slot(settings.plan().inputs());
    for (LedgerEntry entry : ledger) {
      long from = (entry.round() - 1) * width;
      assertThat(entry.ranges())
          .containsExactlyElementsOf(events.keySet().stream()
              .map(partition -> new OffsetRange(partition, from, from + width))
              .toList());
      for (var partition : events.values()) {
        for (long offset = from; offset < from + width; offset++) {
          var record = partition.get(offset);
          if (record == null) {
            learner.fillAbsent(1);
          } else {
            decoder.decode(record.key(), record.value(), slot);
            learner.fill(slot);
          }
        }
      }
      ClosedRound round = learner.close();
      assertThat(entry.snapshotDigest())
          .as("round %d", entry.round())
          .isEqualTo(ModelSnapshot.digest(round.weights(), round.guarantee()));
    }
    assertThat((long) ledger.size())
        .isGreaterThanOrEqualTo(events.values().stream()
            .mapToLong(
                each -> (each.keySet().stream().mapToLong(at -> at).max().orElse(-1) + 1) / width)
            .min()
            .orElseThrow());
  }

  private static void check(
      Outcome outcome, String topic, IntFunction<String> models, Supplier<EventDecoder> decoder) {
    LearnerSettings settings = outcome.settings();
    List<ConsumerRecord<byte[], byte[]>> log = outcome.read(topic);
    assertThat(log).hasSize((int) outcome.written());
    var ledger = outcome.read(Names.ledger(settings.app()));
    var snapshots = outcome.read(Names.snapshots(settings.app()));
    LedgerChecker chain = new LedgerChecker();
    List<LedgerEntry> entries = ledger.stream()
        .map(each -> chain.accept(each.partition(), each.offset(), each.value()))
        .toList();
    assertThat(chain.faults()).isEmpty();
    SlotChecks.check(entries, offsets(log), Shape.BATCH);

    String topicId = outcome.topicId(topic);
    log.stream().collect(groupingBy(ConsumerRecord::partition)).forEach((partition, records) -> {
      String model = models.apply(partition);
      assertThat(entries.stream()
              .filter(each -> each.modelId().equals(model))
              .map(LedgerEntry::snapshotDigest))
          .as("rounds of %s", model)
          .containsExactlyElementsOf(digests(settings, model, decoder.get(), records));
      List<String> published = lines(ledger, partition);
      published.addAll(lines(snapshots, partition));
      assertThat(published)
          .as("bytes of %s", model)
          .isEqualTo(
              new PartitionReplay(settings, topicId, partition, model, decoder.get()).of(records));
    });
  }

  private static Map<Integer, List<Long>> offsets(List<ConsumerRecord<byte[], byte[]>> log) {
    Map<Integer, List<Long>> offsets = new TreeMap<>();
    log.forEach(record -> offsets
        .computeIfAbsent(record.partition(), each -> new ArrayList<>())
        .add(record.offset()));
    return offsets;
  }

  private static List<String> lines(List<ConsumerRecord<byte[], byte[]>> records, int partition) {
    List<String> lines = new ArrayList<>();
    records.stream()
        .filter(each -> each.partition() == partition)
        .forEach(each -> lines.add(Published.line(each)));
    return lines;
  }

  /** The digests of the versions that the pure step makes. */
  private static List<byte[]> digests(
      LearnerSettings settings,
      String model,
      EventDecoder decoder,
      List<ConsumerRecord<byte[], byte[]>> records) {
    ModelLearner learner = ModelLearner.start(
        settings.plan(), ModelKeys.of(settings.key()), model, settings.runName(), null);
    Slot slot = new Slot(settings.plan().inputs());
    List<byte[]> digests = new ArrayList<>();
    for (var record : records) {
      decoder.decode(record.key(), record.value(), slot);
      if (learner.fill(slot)) {
        ClosedRound round = learner.close();
        digests.add(ModelSnapshot.digest(round.weights(), round.guarantee()));
      }
    }
    return digests;
  }
}
