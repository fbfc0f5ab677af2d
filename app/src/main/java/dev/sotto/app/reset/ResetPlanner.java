package dev.sotto.app.reset;

import dev.sotto.app.preflight.StateFolderCheck;
import dev.sotto.config.SottoConfig;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.description.FigureFormat;
import dev.sotto.serdes.record.Announcement;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.PartitionHead;
import dev.sotto.topology.admin.ClusterInspector;
import dev.sotto.topology.admin.ConsumerGroup;
import dev.sotto.topology.admin.PartitionHeadReader;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.NewHistory;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.failure.StartFinding;
import dev.sotto.topology.failure.TransientException;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.log.SlotDecoders;
import dev.sotto.topology.log.SourceReading;
import dev.sotto.topology.log.SourceRecord;
import dev.sotto.topology.read.NewestLedgerEntries;
import dev.sotto.topology.read.PartitionReader;
import dev.sotto.topology.runtime.Deployment;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelRouting;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.TopicRequirement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Plans how to take a learner's state away so that the next run derives it again, bit for bit: only
 * where the logs still hold everything from the ledger's origin on, and the configuration is that
 * of the ledger. Otherwise it is refused, since the state would then be the only thing from which
 * the model can go on.
 */
public final class ResetPlanner {
  private static final long FIRST_STEP = 64;

  private final SottoConfig config;
  private final ClusterInspector cluster;
  private final LearnerSettings settings;
  private final Map<TopicPartition, Long> offsets = new HashMap<>();
  private final List<String> derived = new ArrayList<>();

  private ResetPlanner(SottoConfig config, ClusterInspector cluster) {
    this.config = config;
    this.cluster = cluster;
    this.settings = config.learner();
  }

  /**
   * The plan; nothing is changed.
   *
   * @throws SottoException {@code IN_USE} where instances run, {@code REFUSED} where what would be
   *     taken away could not be derived again
   */
  static ResetPlan plan(SottoConfig config, ClusterInspector cluster) {
    return new ResetPlanner(config, cluster).plan();
  }

  private ResetPlan plan() {
    if (settings.layout().sumsParts()) {
      throw refused("the state of layout " + settings.layout().configName()
          + " rests on its own topics, which keep the newest rounds only, and cannot be derived"
          + " again from the events"
          + " alone. Keep the state; if it is damaged, " + NewHistory.START);
    }
    requireStopped(config, cluster);
    Deployment deployment = Deployment.of(settings, config.service());
    Map<Integer, PartitionHead> heads = heads();
    Map<TopicPartition, OffsetAndMetadata> committed = cluster.committed(settings.app());
    String ledger = Names.ledger(settings.app());
    try (PartitionReader reader =
        new PartitionReader(config.service().clients(), PartitionReader.COMMITTED)) {
      NewestLedgerEntries ends =
          new NewestLedgerEntries(config.service().clients(), reader, ledger);
      Map<Integer, LedgerEntry> last = ends.last(cluster.partitions(ledger));
      last.forEach((partition, entry) -> {
        StartFinding run = ends.check(partition, entry, settings);
        if (run.isFault()) {
          throw refused("the ledger is not of this run: " + run.sentence());
        }
      });
      for (TopicPartition where : cluster.all(settings.trainingTopic())) {
        int partition = where.partition();
        Learned learned = new Learned(
            where,
            Optional.ofNullable(heads.get(partition)),
            Optional.ofNullable(last.get(partition)),
            Optional.ofNullable(committed.get(where)).map(OffsetAndMetadata::offset));
        learned(reader, learned);
      }
    }
    return new ResetPlan(
        settings.app(),
        config.service().stateFolder().toAbsolutePath().normalize().resolve(settings.app()),
        deployment.derivable().stream()
            .map(TopicRequirement::topic)
            .filter(each -> cluster.topic(each).isPresent())
            .toList(),
        Map.copyOf(offsets),
        List.copyOf(derived),
        deployment.everyTopic().stream()
            .filter(each -> !deployment.derivable().contains(each))
            .map(TopicRequirement::topic)
            .toList());
  }

  /** What is known of one partition. */
  private record Learned(
      TopicPartition where,
      Optional<PartitionHead> head,
      Optional<LedgerEntry> last,
      Optional<Long> committed) {}

  /** Refuses while the group has members. */
  static void requireStopped(SottoConfig config, ClusterInspector cluster) {
    String app = config.learner().app();
    ConsumerGroup.of(cluster, app).filter(group -> !group.members().isEmpty()).ifPresent(group -> {
      throw new TransientException(
          FailureKind.IN_USE,
          "group " + app + " has " + FigureFormat.counted(group.members().size(), "member") + " ("
              + String.join("; ", group.names())
              + "): stop all instances; one that was killed is missed after its session timeout");
    });
    if (StateFolderCheck.isLocked(config.service().stateFolder().resolve(app))) {
      throw new TransientException(
          FailureKind.IN_USE,
          "the folder " + config.service().stateFolder().resolve(app)
              + " is in use by an instance on this machine: stop it");
    }
  }

  private Map<Integer, PartitionHead> heads() {
    try {
      return PartitionHeadReader.read(config.service().clients(), settings);
    } catch (UnsafeToContinueException refusal) {
      throw refused(refusal.getMessage());
    }
  }

  private void learned(PartitionReader reader, Learned learned) {
    learned.head().ifPresent(head -> requireWhole(learned, head));
    if (learned.last().isEmpty() && learned.head().isEmpty()) {
      return; // nothing was ever learned of it, or a reset was here before
    }
    long origin = learned
        .last()
        .map(LedgerEntry::origin)
        .orElseGet(() -> learned.head().orElseThrow().origin());
    long held = reader.beginning(learned.where());
    if (held > origin) {
      throw refused("the rounds of " + learned.where() + " began at offset " + origin
          + ", but the topic holds records from offset " + held
          + " on only: what the state knows could not be derived again. Keep the state; if it is"
          + " damaged, "
          + NewHistory.START);
    }
    if (settings.layout().keepsOrder()) {
      requireEvents(reader, learned.where());
    }
    long next = learned
        .last()
        .map(entry -> settings.layout().keepsOrder()
            ? lastAnnouncement(learned, origin)
            : lastHandedOver(reader, learned, entry))
        .orElse(origin); // no entry leads back to the first round's records
    if (learned.committed().isEmpty() || learned.committed().get() != next) {
      offsets.put(learned.where(), next);
    }
    derived.add(learned.where() + " from offset " + origin + ": "
        + learned
            .last()
            .map(entry -> entry.sequence() + " ledger entries, then the open round")
            .orElse("the first round, which is open"));
  }

  private void requireWhole(Learned learned, PartitionHead head) {
    String id = cluster
        .topic(learned.where().topic())
        .map(TopicDescription::topicId)
        .orElseThrow()
        .toString();
    if (!head.topicId().equals(id)) {
      throw refused("the state belongs to topic id " + head.topicId() + ", but "
          + learned.where().topic() + " now has id " + id
          + ": it was deleted and made again, and its records are others. Restore the topic, or "
          + NewHistory.START);
    }
    long published = learned.last().map(LedgerEntry::sequence).orElse(0L);
    if (head.ledgerSequence() > published) {
      throw refused(
          "the state has paid for ledger entry " + head.ledgerSequence() + " of partition "
              + learned.where().partition() + ", but the ledger ends at " + published
              + ": it was truncated. Restore it first");
    }
  }

  /** Every event that was announced must still be there. */
  private void requireEvents(PartitionReader reader, TopicPartition order) {
    Map<Integer, Long> begins = new HashMap<>();
    reader.read(order, reader.beginning(order), reader.end(order), record -> {
      Announcement announced = Codecs.ANNOUNCEMENT.decode(record.value());
      begins.putIfAbsent(announced.partition(), announced.begin());
      return true;
    });
    begins.forEach((partition, begin) -> {
      long held = reader.beginning(new TopicPartition(settings.eventTopic(), partition));
      if (held > begin) {
        throw refused("learning of partition " + partition + " of " + settings.eventTopic()
            + " began at offset " + begin + ", but the topic holds records from offset " + held
            + " on only: what the state knows could not be derived again. Keep the state; if it is"
            + " damaged, " + NewHistory.START);
      }
    });
  }

  /**
   * Where the announcements begin whose unusable events no earlier run has set aside. Every start
   * announces something, so the next run begins at once.
   */
  private static long lastAnnouncement(Learned learned, long origin) {
    return learned
        .head()
        .filter(head -> head.handedTo() >= 0)
        .map(head -> head.order().nextAnnouncement())
        .or(learned::committed)
        .orElse(origin);
  }

  /**
   * The last record that has been handed over: handed over once more, it makes the next run begin
   * at once, and what lies before it is not set aside a second time. Nor is it itself: where it was
   * set aside, the run begins with the next.
   */
  private long lastHandedOver(PartitionReader reader, Learned learned, LedgerEntry last) {
    TopicPartition where = learned.where();
    long closed = last.ranges().stream()
        .filter(range -> range.partition() == where.partition())
        .mapToLong(range -> range.to())
        .max()
        .orElseThrow(
            () -> refused("ledger entry " + last.sequence() + " names no range of " + where));
    long handedOver = Math.max(closed, learned.committed().orElse(closed));
    long letters = learned.head().map(PartitionHead::lettersFrom).orElse(-1L);
    if (letters >= 0 && letters < handedOver) {
      return letters; // some that were handed over still wait to be set aside
    }
    long floor = closed - 1; // a record: it closed a round
    for (long step = FIRST_STEP; ; step *= 8) {
      long from = Math.max(floor, handedOver - step);
      List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
      reader.read(where, from, handedOver, record -> {
        found.clear();
        found.add(record);
        return true;
      });
      if (!found.isEmpty()) {
        return isSetAside(found.get(0)) ? handedOver : found.get(0).offset();
      }
      if (from == floor) {
        throw refused("the record at offset " + floor + " of " + where
            + ", which closed a round, is not there: the topic is not the one that was"
            + " learned from");
      }
    }
  }

  /** Whether the trainer sets a record aside. */
  private boolean isSetAside(ConsumerRecord<byte[], byte[]> record) {
    SourceRecord slot = SourceReading.of(settings, record.topic()).record(record);
    int partitions = cluster.partitions(record.topic());
    ModelRouting routing = settings.modelIds().routing(record.partition(), partitions);
    String model = slot.modelBy(routing);
    if (model == null || routing.retired().contains(model)) {
      return true;
    }
    SlotDecoders decoders = SlotDecoders.of(
        settings,
        cluster.topic(record.topic()).orElseThrow().topicId().toString(),
        record.partition());
    return IntStream.range(0, decoders.number())
        .anyMatch(which -> decoders.read(which, slot).status().isSetAside());
  }

  private static SottoException refused(String why) {
    return new UnsafeToContinueException("no reset: " + why);
  }
}
