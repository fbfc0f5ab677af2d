package dev.sotto.app.operations;

import dev.sotto.app.config.SottoConfig;
import dev.sotto.learner.privacy.LedgerEntry;
import dev.sotto.serdes.record.PartitionHead;
import dev.sotto.serdes.record.RoundGenesis;
import dev.sotto.topology.ExitCode;
import dev.sotto.topology.Layout;
import dev.sotto.topology.LearnerService;
import dev.sotto.topology.LearnerSettings;
import dev.sotto.topology.ModelIds;
import dev.sotto.topology.Names;
import dev.sotto.topology.StartFailure;
import dev.sotto.topology.StoredGenesis;
import dev.sotto.topology.StoredHeads;
import dev.sotto.topology.core.Refusal;
import dev.sotto.topology.read.PartitionReader;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Says which round and version a record went into, or why none, from committed logs alone. */
public final class Explain implements AutoCloseable {
  private final SottoConfig config;
  private final LearnerSettings settings;
  private final Watch watch;
  private final Admin admin;
  private final ClusterFacts cluster;
  private final PartitionReader reader;
  private final PartitionReader all;
  private final RoundSearch rounds;

  /** Explanations for one learner. */
  public Explain(SottoConfig config, Watch watch) {
    this.config = config;
    this.settings = config.learner();
    this.watch = watch;
    this.admin = LearnerService.admin(config.service());
    this.cluster = new ClusterFacts(admin, config.service().bootstrapServers());
    this.reader = new PartitionReader(config.service().clients(), PartitionReader.COMMITTED);
    this.all = new PartitionReader(config.service().clients(), PartitionReader.UNCOMMITTED);
    this.rounds = new RoundSearch(reader, settings, watch);
  }

  /**
   * Where a record went.
   *
   * @param place a record of the event topic, or in the funnel of the sequence
   * @throws StartFailure where it is of another topic, or the logs cannot be read
   */
  public Explanation explain(RecordPlace place) {
    requireOurs(place);
    TopicPartition where = place.where();
    long beginning = reader.beginning(where);
    if (place.offset() >= all.end(where)) {
      return Explanation.of(place, Fate.NOT_WRITTEN, false);
    }
    if (place.offset() >= reader.end(where)) {
      return Explanation.of(place, Fate.NOT_COMMITTED, false);
    }
    boolean gone = place.offset() < beginning;
    Optional<ConsumerRecord<byte[], byte[]>> record =
        gone ? Optional.empty() : reader.record(where, place.offset());
    if (!gone && record.isEmpty() && settings.layout() != Layout.ROUNDS) {
      return Explanation.of(place, isWritten(place) ? Fate.ABORTED : Fate.NO_RECORD, false);
    }
    try {
      return switch (settings.layout()) {
        case DIRECT -> learned(place, record, gone);
        case FUNNEL -> funnelled(place, record, gone);
        case ROUNDS -> sliced(place, record, gone);
      };
    } catch (Refusal refusal) {
      throw new StartFailure(ExitCode.REFUSED, refusal.getMessage(), refusal);
    }
  }

  private void requireOurs(RecordPlace place) {
    boolean sequence =
        settings.layout() == Layout.FUNNEL && place.topic().equals(Names.sequence(settings.app()));
    if (!place.topic().equals(settings.eventTopic()) && !sequence) {
      throw new StartFailure(
          ExitCode.USAGE,
          "the record must be of " + settings.eventTopic()
              + (settings.layout() == Layout.FUNNEL ? " or " + Names.sequence(settings.app()) : "")
              + ", but was of " + place.topic());
    }
    int partitions = cluster.partitions(place.topic());
    if (partitions == 0) {
      throw new StartFailure(
          ExitCode.TOPIC,
          "topic " + place.topic() + " does not exist on " + config.service().bootstrapServers());
    }
    if (place.partition() >= partitions) {
      throw new StartFailure(
          ExitCode.USAGE,
          "topic " + place.topic() + " has partitions 0 to " + (partitions - 1) + ", but not "
              + place.partition());
    }
  }

  /** Whether there is a record that was not committed. */
  private boolean isWritten(RecordPlace place) {
    return all.record(place.where(), place.offset()).isPresent();
  }

  private Explanation funnelled(
      RecordPlace place, Optional<ConsumerRecord<byte[], byte[]>> record, boolean gone) {
    String sequence = Names.sequence(settings.app());
    TopicPartition where = new TopicPartition(sequence, 0);
    if (cluster.partitions(sequence) == 0) {
      return Explanation.of(place, Fate.NOT_BEGUN, gone);
    }
    SequenceSearch search = new SequenceSearch(reader, where, settings, watch);
    long offset = place.offset();
    RecordPlace event = place;
    if (place.topic().equals(sequence)) {
      event = record.map(each -> search.source(each, settings.eventTopic())).orElse(null);
    } else {
      SequenceSearch.Found found = search.find(place.partition(), place.offset());
      offset = found.offset();
      if (offset < 0) {
        return Explanation.of(place, notSequenced(place, found, gone), gone);
      }
    }
    Explanation explained = slot(
            new RecordPlace(sequence, 0, offset), settings.modelIds().name(), gone)
        .withPlace(place, offset);
    return event == null ? explained : explained.withSetAside(setAside(event));
  }

  private Fate notSequenced(RecordPlace place, SequenceSearch.Found found, boolean gone) {
    if (!found.later()) {
      return gone && !found.earlier() ? Fate.BEFORE_ORIGIN : Fate.NOT_FORWARDED;
    }
    return !found.earlier() ? Fate.BEFORE_ORIGIN : gone ? Fate.NO_RECORD : Fate.UNEXPLAINED;
  }

  private Explanation learned(
      RecordPlace place, Optional<ConsumerRecord<byte[], byte[]>> record, boolean gone) {
    String model = null;
    if (record.isPresent()) {
      model =
          Models.of(record.get(), settings, cluster.partitions(place.topic())).orElse(null);
      if (model == null) {
        return Explanation.of(place, Fate.NO_MODEL, false).withSetAside(setAside(place));
      }
    } else if (settings.modelIds().source() == ModelIds.Source.CONSTANT) {
      model = settings.modelIds().name();
    } else if (settings.modelIds().source() == ModelIds.Source.PARTITION) {
      model = settings.modelIds().name() + "-" + place.partition();
    }
    if (model == null) {
      throw new StartFailure(
          ExitCode.TOPIC,
          place
              + " is no longer held, and which model it belonged to stood in it; the ledger's ranges of several"
              + " models may contain its offset: see ./sotto ledger");
    }
    return slot(place, model, gone).withSetAside(setAside(place));
  }

  /** Offsets decide in which round a slot lies, whether they hold a record or not. */
  private Explanation sliced(
      RecordPlace place, Optional<ConsumerRecord<byte[], byte[]>> record, boolean gone) {
    String control = Names.control(settings.app());
    Optional<RoundGenesis> genesis = cluster.partitions(control) == 0
        ? Optional.empty()
        : StoredGenesis.read(config.service().clients(), settings);
    if (genesis.isEmpty()) {
      return Explanation.of(place, Fate.NOT_BEGUN, gone);
    }
    String model = settings.modelIds().name();
    RoundSearch.Found found = rounds.find(place, model, cluster);
    Explanation told = found.covering() != null
        ? inRound(place, found, model, gone)
        : new SliceSearch(reader, settings, genesis.get()).open(place, found, gone);
    if (gone || record.isPresent()) {
      return told.withModel(model).withSetAside(setAside(place));
    }
    boolean aborted = isWritten(place);
    Fate hole = told.round() == 0
        ? aborted ? Fate.ABORTED : Fate.NO_RECORD
        : aborted ? Fate.ABORTED_SLOT : Fate.EMPTY_SLOT;
    return told.withModel(model).withFate(hole);
  }

  private Explanation inRound(
      RecordPlace place, RoundSearch.Found found, String model, boolean gone) {
    return Explanation.of(place, Fate.IN_ROUND, gone)
        .withModel(model)
        .withRound(
            found.covering().round(),
            found.covering(),
            rounds.firstVersion(place.partition(), found, model));
  }

  /** What became of a slot of the training topic. */
  private Explanation slot(RecordPlace place, String model, boolean gone) {
    RoundSearch.Found found = rounds.find(place, model, cluster);
    if (found.covering() != null) {
      return inRound(place, found, model, gone);
    }
    LedgerEntry last = found.last();
    Optional<Long> origin = origin(place, found);
    Fate fate = null;
    if (origin.isEmpty()) {
      fate = Fate.NOT_BEGUN;
    } else if (place.offset() < origin.get()) {
      fate = Fate.BEFORE_ORIGIN;
    } else if (last != null && place.offset() < found.lastEnd()) {
      fate = Fate.UNEXPLAINED;
    } else if (last != null && last.last()) {
      fate = Fate.AFTER_BUDGET;
    }
    if (fate != null) {
      return Explanation.of(place, fate, gone).withModel(model);
    }
    return open(place, model, gone, last, last == null ? origin.get() : found.lastEnd());
  }

  private Explanation open(
      RecordPlace place, String model, boolean gone, LedgerEntry last, long start) {
    long[] slots = rounds.slots(place, model, start, cluster.partitions(place.topic()));
    long batch = settings.plan().batch();
    long round = (last == null ? 0 : last.round()) + 1 + slots[0] / batch;
    if (!settings.plan().allows(round)) {
      return Explanation.of(place, Fate.AFTER_BUDGET, gone).withModel(model);
    }
    return slots[0] < batch
        ? Explanation.of(place, Fate.IN_OPEN_ROUND, gone)
            .withModel(model)
            .withOpen(round, Math.max(0, batch - slots[1]))
        : Explanation.of(place, Fate.WAITING, gone).withModel(model).withOpen(round, -1);
  }

  /** Where learning of a partition began: the ledger's word, or before its first entry that of the state. */
  private Optional<Long> origin(RecordPlace place, RoundSearch.Found found) {
    if (found.origin() >= 0) {
      return Optional.of(found.origin());
    }
    return Optional.ofNullable(
            StoredHeads.read(config.service().clients(), settings).get(place.partition()))
        .map(PartitionHead::origin);
  }

  private String setAside(RecordPlace event) {
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
