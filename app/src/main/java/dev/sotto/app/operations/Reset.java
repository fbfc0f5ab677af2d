package dev.sotto.app.operations;

import dev.sotto.app.config.SottoConfig;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.example.Verdict;
import dev.sotto.learner.privacy.LedgerEntry;
import dev.sotto.learner.round.ModelLearner;
import dev.sotto.serdes.record.PartitionHead;
import dev.sotto.topology.Blueprint;
import dev.sotto.topology.ExitCode;
import dev.sotto.topology.Layout;
import dev.sotto.topology.LearnerSettings;
import dev.sotto.topology.Names;
import dev.sotto.topology.StartFailure;
import dev.sotto.topology.StoredHeads;
import dev.sotto.topology.TopicNeed;
import dev.sotto.topology.core.Refusal;
import dev.sotto.topology.read.PartitionReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Plans how to take a learner's state away so that the next run derives it again, bit for bit: only where the logs still
 * hold everything from the ledger's origin on, and the configuration is that of the ledger. Otherwise it is refused,
 * since the state would then be the only thing from which the model can go on.
 */
public final class Reset {
  private static final long FIRST_STEP = 64;

  private final SottoConfig config;
  private final ClusterFacts cluster;
  private final LearnerSettings settings;
  private final Map<TopicPartition, Long> offsets = new HashMap<>();
  private final List<String> derived = new ArrayList<>();

  private Reset(SottoConfig config, ClusterFacts cluster) {
    this.config = config;
    this.cluster = cluster;
    this.settings = config.learner();
  }

  /**
   * The plan; nothing is changed.
   *
   * @throws StartFailure {@code IN_USE} where instances run, {@code REFUSED} where what would be taken away could not be
   *     derived again
   */
  static ResetPlan plan(SottoConfig config, ClusterFacts cluster) {
    return new Reset(config, cluster).plan();
  }

  private ResetPlan plan() {
    if (settings.layout() != Layout.DIRECT && settings.layout() != Layout.FUNNEL) {
      throw refused(
          "the state of layout " + settings.layout().configName()
              + " rests on its own topics, which keep the newest rounds only, and cannot be derived again from the events"
              + " alone. Keep the state; if it is damaged, start a new app.id whose budget accounts for what was spent");
    }
    requireStopped(config, cluster);
    Blueprint blueprint = Blueprint.of(settings, config.service());
    Map<Integer, PartitionHead> heads = heads();
    Map<TopicPartition, OffsetAndMetadata> committed = cluster.committed(settings.app());
    String ledger = Names.ledger(settings.app());
    try (PartitionReader reader =
        new PartitionReader(config.service().clients(), PartitionReader.COMMITTED)) {
      LedgerEnds ends = new LedgerEnds(reader, ledger);
      Map<Integer, LedgerEntry> last = ends.last(cluster.partitions(ledger));
      last.forEach((partition, entry) -> ends.mismatch(partition, entry, settings)
          .ifPresent(wrong -> {
            throw refused("the ledger is not of this run: " + wrong.found() + ", here it is "
                + wrong.needed() + "; " + wrong.fix());
          }));
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
        config.service().stateFolder().toAbsolutePath().resolve(settings.app()),
        blueprint.derivable().stream()
            .map(TopicNeed::topic)
            .filter(each -> cluster.topic(each).isPresent())
            .toList(),
        Map.copyOf(offsets),
        List.copyOf(derived),
        blueprint.everyTopic().stream()
            .filter(each -> !blueprint.derivable().contains(each))
            .map(TopicNeed::topic)
            .toList());
  }

  /** What is known of one partition. */
  private record Learned(
      TopicPartition where,
      Optional<PartitionHead> head,
      Optional<LedgerEntry> last,
      Optional<Long> committed) {}

  /** Refuses while the group has members. */
  static void requireStopped(SottoConfig config, ClusterFacts cluster) {
    String app = config.learner().app();
    Group.of(cluster, app).filter(group -> !group.members().isEmpty()).ifPresent(group -> {
      throw new StartFailure(
          ExitCode.IN_USE,
          "group " + app + " has " + group.members().size() + " members ("
              + String.join("; ", group.members())
              + "): stop all instances; one that was killed is missed after its session timeout");
    });
    if (StateFolderCheck.isLocked(config.service().stateFolder().resolve(app))) {
      throw new StartFailure(
          ExitCode.IN_USE,
          "the folder " + config.service().stateFolder().resolve(app)
              + " is in use by an instance on this machine: stop it");
    }
  }

  private Map<Integer, PartitionHead> heads() {
    try {
      return StoredHeads.read(config.service().clients(), settings);
    } catch (Refusal refusal) {
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
          + " on only: what the state knows could not be derived again. Keep the state; if it is damaged, start a"
          + " new app.id whose budget accounts for what was spent");
    }
    long next = learned
        .last()
        .map(entry -> lastHandedOver(reader, learned, entry))
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
      throw refused(
          "the state belongs to topic id " + head.topicId() + ", but "
              + learned.where().topic() + " now has id " + id
              + ": it was deleted and made again, and its records are others. Restore the topic, or start a new app.id");
    }
    long published = learned.last().map(LedgerEntry::sequence).orElse(0L);
    if (head.ledgerSequence() > published) {
      throw refused(
          "the state has paid for ledger entry " + head.ledgerSequence() + " of partition "
              + learned.where().partition() + ", but the ledger ends at " + published
              + ": it was truncated. Restore it first");
    }
  }

  /**
   * The last record that has been handed over: handed over once more, it makes the next run begin at once, and what lies
   * before it is not set aside a second time. Nor is it itself: where it was set aside, the run begins with the next.
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
        throw refused(
            "the record at offset " + floor + " of " + where
                + ", which closed a round, is not there: the topic is not the one that was learned from");
      }
    }
  }

  /** Whether the trainer itself sets a record aside; in the funnel, another does. */
  private boolean isSetAside(ConsumerRecord<byte[], byte[]> record) {
    if (settings.layout() != Layout.DIRECT) {
      return false;
    }
    Slot slot = new Slot(settings.plan().inputs());
    if (settings.decoder().get().decode(record.key(), record.value(), slot) == Verdict.USED) {
      ModelLearner.admit(slot, settings.plan().objective());
    }
    return slot.verdict() != Verdict.USED
        || Models.of(record, settings, cluster.partitions(record.topic())).isEmpty();
  }

  private static StartFailure refused(String why) {
    return new StartFailure(ExitCode.REFUSED, "no reset: " + why);
  }
}
