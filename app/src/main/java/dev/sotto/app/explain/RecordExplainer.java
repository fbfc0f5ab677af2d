package dev.sotto.app.explain;

import dev.sotto.config.SottoConfig;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.serdes.event.LabelledEvent;
import dev.sotto.serdes.record.RoundGenesis;
import dev.sotto.topology.admin.AdminClients;
import dev.sotto.topology.admin.ClusterInspector;
import dev.sotto.topology.admin.PartitionHeadReader;
import dev.sotto.topology.admin.RoundsInitializer;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.log.Place;
import dev.sotto.topology.log.SlotDecoders;
import dev.sotto.topology.log.SlotLog;
import dev.sotto.topology.log.SourceReading;
import dev.sotto.topology.read.PartitionReader;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelRouting;
import dev.sotto.topology.settings.Names;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Says which round and version a record went into, or why none, from committed logs alone. */
public final class RecordExplainer implements AutoCloseable {
  private final SottoConfig config;
  private final LearnerSettings settings;
  private final ReadProgress watch;
  private final SourceReading reading;
  private final Admin admin;
  private final ClusterInspector cluster;
  private final PartitionReader reader;
  private final PartitionReader all;
  private final RoundSearch rounds;

  /** Explanations for one learner. */
  public RecordExplainer(SottoConfig config, ReadProgress watch) {
    this.config = config;
    this.settings = config.learner();
    this.watch = watch;
    this.reading = SourceReading.of(settings, settings.eventTopic());
    this.admin = AdminClients.of(config.service());
    this.cluster = new ClusterInspector(admin, config.service().bootstrapServers());
    this.reader = new PartitionReader(config.service().clients(), PartitionReader.COMMITTED);
    this.all = new PartitionReader(config.service().clients(), PartitionReader.UNCOMMITTED);
    this.rounds = new RoundSearch(reader, settings, watch);
  }

  /**
   * Where a record went.
   *
   * @param position a record of the event topic; with late labels, of that of events or of
   *     labelled events
   * @throws SottoException where it is of another topic, or the logs cannot be read
   */
  public RecordExplanation explain(RecordPosition position) {
    requireOurs(position);
    return position.topic().equals(settings.eventTopic()) ? ofSlot(position) : ofJoined(position);
  }

  /** An event whose label comes later: the record that both became has the slot. */
  private RecordExplanation ofJoined(RecordPosition position) {
    TopicPartition where = position.where();
    if (position.offset() >= all.end(where)) {
      return new RecordExplanation(position, RecordOutcome.NOT_WRITTEN, false);
    }
    if (position.offset() >= reader.end(where)) {
      return new RecordExplanation(position, RecordOutcome.NOT_COMMITTED, false);
    }
    boolean gone = position.offset() < reader.beginning(where);
    return labelled(position)
        .map(this::ofSlot)
        .orElseGet(() -> new RecordExplanation(position, RecordOutcome.NOT_JOINED, gone));
  }

  /** Labelled events lie in the order of the events. */
  private Optional<RecordPosition> labelled(RecordPosition event) {
    String topic = settings.eventTopic();
    if (cluster.partitions(topic) <= event.partition()) {
      return Optional.empty();
    }
    TopicPartition where = new TopicPartition(topic, event.partition());
    long begin = reader.beginning(where);
    long end = reader.end(where);
    RecordPosition[] found = new RecordPosition[1];
    reader.read(where, begin, end, record -> {
      watch.at("looking for it among labelled events", record.offset() + 1 - begin, end - begin);
      long of = LabelledEvent.offset(record.value());
      if (of == event.offset()) {
        found[0] = new RecordPosition(topic, event.partition(), record.offset());
      }
      return of < event.offset();
    });
    return Optional.ofNullable(found[0]);
  }

  private RecordExplanation ofSlot(RecordPosition position) {
    TopicPartition where = position.where();
    long beginning = reader.beginning(where);
    if (position.offset() >= all.end(where)) {
      return new RecordExplanation(position, RecordOutcome.NOT_WRITTEN, false);
    }
    if (position.offset() >= reader.end(where)) {
      return new RecordExplanation(position, RecordOutcome.NOT_COMMITTED, false);
    }
    boolean gone = position.offset() < beginning;
    Optional<ConsumerRecord<byte[], byte[]>> record =
        gone ? Optional.empty() : reader.record(where, position.offset());
    if (!gone && record.isEmpty() && !settings.layout().sumsParts()) {
      return new RecordExplanation(
          position, isWritten(position) ? RecordOutcome.ABORTED : RecordOutcome.NO_RECORD, false);
    }
    return settings.layout().sumsParts()
        ? sliced(position, record, gone)
        : learned(position, record, gone);
  }

  private void requireOurs(RecordPosition position) {
    Set<String> ours = new TreeSet<>(Set.of(settings.sourceTopic()));
    ours.add(settings.eventTopic());
    if (!ours.contains(position.topic())) {
      throw new SottoException(
          FailureKind.USAGE,
          "the record must be of " + String.join(" or ", ours) + ", but was of "
              + position.topic());
    }
    int partitions = cluster.partitions(position.topic());
    if (partitions == 0) {
      throw new SottoException(
          FailureKind.TOPIC,
          "topic " + position.topic() + " does not exist on "
              + config.service().bootstrapServers());
    }
    if (position.partition() >= partitions) {
      throw new SottoException(
          FailureKind.USAGE,
          "topic " + position.topic() + " has partitions 0 to " + (partitions - 1) + ", but not "
              + position.partition());
    }
  }

  /** Whether there is a record that was not committed. */
  private boolean isWritten(RecordPosition position) {
    return all.record(position.where(), position.offset()).isPresent();
  }

  private RecordExplanation learned(
      RecordPosition position, Optional<ConsumerRecord<byte[], byte[]>> record, boolean gone) {
    ModelRouting routing =
        settings.modelIds().routing(position.partition(), cluster.partitions(position.topic()));
    String model = record.isPresent()
        ? reading.record(record.get()).modelBy(routing)
        : settings.modelIds().idAt(position.partition()).orElse(null);
    if (model == null && record.isEmpty()) {
      throw new SottoException(
          FailureKind.TOPIC,
          position
              + " is no longer held, and which model it belonged to stood in it; the ledger's"
              + " ranges of several models may contain its offset: see ./sotto ledger");
    }
    RecordExplanation explained = model == null
        ? new RecordExplanation(position, RecordOutcome.NO_MODEL, false)
        : slot(position, routing, model, gone);
    return explained.setAside(setAside(position)).empty(unlabelled(record));
  }

  /** Why a slot is empty whose label never came: it goes to no dead letters. Null for any other. */
  private String unlabelled(Optional<ConsumerRecord<byte[], byte[]>> record) {
    if (settings.labels().isEmpty() || record.isEmpty()) {
      return null;
    }
    ConsumerRecord<byte[], byte[]> event = record.get();
    SlotDecoders decoders = SlotDecoders.of(
        settings,
        cluster.topic(event.topic()).orElseThrow().topicId().toString(),
        event.partition());
    RecordStatus status = decoders.read(0, reading.record(event)).status();
    return status == RecordStatus.NO_LABEL ? status + " (" + status.sentence() + ")" : null;
  }

  /** Offsets decide in which round a slot lies, whether they hold a record or not. */
  private RecordExplanation sliced(
      RecordPosition position, Optional<ConsumerRecord<byte[], byte[]>> record, boolean gone) {
    String control = Names.control(settings.app());
    Optional<RoundGenesis> genesis = cluster.partitions(control) == 0
        ? Optional.empty()
        : RoundsInitializer.stored(config.service().clients(), settings);
    if (genesis.isEmpty()) {
      return new RecordExplanation(position, RecordOutcome.NOT_BEGUN, gone);
    }
    String model = settings.modelIds().name();
    RoundSearch.Found found = rounds.find(position, model, cluster);
    RecordExplanation explained = found.covering() != null
        ? inRound(position, found, model, gone)
        : new SliceSearch(reader, settings, genesis.get()).open(position, found, gone);
    if (gone || record.isPresent()) {
      return explained.model(model).setAside(setAside(position));
    }
    boolean aborted = isWritten(position);
    RecordOutcome missing = explained.round() == null
        ? aborted ? RecordOutcome.ABORTED : RecordOutcome.NO_RECORD
        : aborted ? RecordOutcome.ABORTED_SLOT : RecordOutcome.EMPTY_SLOT;
    return explained.model(model).outcome(missing);
  }

  private RecordExplanation inRound(
      RecordPosition position, RoundSearch.Found found, String model, boolean gone) {
    return new RecordExplanation(position, RecordOutcome.IN_ROUND, gone)
        .model(model)
        .published(found.covering(), rounds.firstVersion(position.partition(), found, model));
  }

  /** Candidates learn from the same slots in the same rounds: the first stands for all. */
  private String inLedger(String modelId) {
    return settings.run().candidates().idsOf(modelId).get(0);
  }

  /** What became of a slot that a trainer takes. */
  private RecordExplanation slot(
      RecordPosition position, ModelRouting routing, String ofRecord, boolean gone) {
    String model = inLedger(ofRecord);
    RoundSearch.Found found = rounds.find(position, model, cluster);
    if (found.covering() != null) {
      return inRound(position, found, model, gone);
    }
    LedgerEntry last = found.last();
    Optional<TrainedSlots> trained = trained(position, found);
    Optional<Long> origin = trained.flatMap(TrainedSlots::origin);
    RecordOutcome outcome = null;
    if (origin.isEmpty()) {
      outcome = RecordOutcome.NOT_BEGUN;
    } else if (position.offset() < origin.get()) {
      outcome = RecordOutcome.BEFORE_ORIGIN;
    } else if (last != null && position.offset() < found.lastEnd()) {
      outcome = RecordOutcome.UNEXPLAINED;
    } else if (last != null && last.last()) {
      outcome = RecordOutcome.AFTER_BUDGET;
    } else if (Place.isNone(trained.get().place())) {
      outcome = RecordOutcome.NOT_ANNOUNCED;
    }
    if (outcome != null) {
      return new RecordExplanation(position, outcome, gone).model(model);
    }
    TrainedSlots slots = trained.get();
    OpenSlots open = OpenSlots.of(slots.unpublished(), routing, ofRecord, slots.place(), watch);
    return open(position, model, gone, last, open);
  }

  /** The slots where a record lies; empty where there are none yet. */
  private Optional<TrainedSlots> trained(RecordPosition position, RoundSearch.Found found) {
    if (settings.layout().readsEvents()) {
      return Optional.of(new DirectSlots(
          position,
          found,
          events(),
          reader,
          () -> PartitionHeadReader.read(config.service().clients(), settings)));
    }
    String order = Names.order(settings.app());
    return cluster.partitions(order) == 0
        ? Optional.empty()
        : Optional.of(new OrderedSlots(position, found, events(), reader, order, watch));
  }

  private SlotLog events() {
    return (partition, from, to) -> {
      var records = reader.records(new TopicPartition(settings.eventTopic(), partition), from, to);
      return SlotLog.Reading.of(() -> {
        var record = records.get();
        return record == null ? null : reading.record(record);
      });
    };
  }

  /** Of a slot that is not published. */
  private RecordExplanation open(
      RecordPosition position, String model, boolean gone, LedgerEntry last, OpenSlots slots) {
    requireSameSettings(model, last);
    long batch = settings.plan().batch();
    long round = (last == null ? 0 : last.round()) + 1 + slots.before() / batch;
    if (!settings.plan().allows(round)) {
      return new RecordExplanation(position, RecordOutcome.AFTER_BUDGET, gone).model(model);
    }
    long first = last == null ? 1 : last.round() + 1;
    long ends = RoundSearch.lastOfVersion(settings.plan(), first);
    return round <= ends
        ? new RecordExplanation(position, RoundSearch.open(first, ends), gone)
            .model(model)
            .openRound(round, Math.max(0, (ends - first + 1) * batch - slots.all()))
        : new RecordExplanation(position, RecordOutcome.WAITING, gone)
            .model(model)
            .laterRound(round);
  }

  /** Where a round that is open ends is said by the settings, and not by the ledger. */
  private void requireSameSettings(String model, LedgerEntry last) {
    if (last != null
        && !Arrays.equals(last.fingerprint(), settings.planOf(model).fingerprint())) {
      throw new SottoException(
          FailureKind.CONFIGURATION,
          "when an open round ends follows from the settings under which model " + model
              + " is learned, but the ledger's last entry was made under others: give the same"
              + " file and --set as sotto run has; sotto verify and the start of sotto run say"
              + " what differs");
    }
  }

  private String setAside(RecordPosition event) {
    String letters = Names.deadLetters(settings.app());
    return rounds.setAside(letters, cluster.all(letters), event);
  }

  @Override
  public void close() {
    all.close();
    reader.close();
    admin.close();
  }
}
