package dev.sotto.topology.admin;

import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.NewHistory;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.SourceTopics;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownMemberIdException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Picks the first offsets of a group explicitly, once, before Streams starts: an automatic reset
 * would skip records that retention took away, silently.
 */
public final class StartOffsets {
  private static final Logger LOG = LoggerFactory.getLogger(StartOffsets.class);
  private static final Duration UNTIL_EMPTY = Duration.ofSeconds(60); // above a usual session

  private StartOffsets() {}

  /**
   * Commits a start for the partitions of a topic that the group has none for.
   *
   * @param latest whether to begin behind what is there, instead of at the first record
   */
  public static void commit(
      Admin admin, TopicSetup topics, String group, String topic, int partitions, boolean latest) {
    commit(admin, topics, group, topic, partitions, latest, List.of());
  }

  /**
   * The same, but behind what another run has learned.
   *
   * @param learned by it; partitions that are not in it begin as the others would
   */
  public static void commit(
      Admin admin,
      TopicSetup topics,
      String group,
      String topic,
      int partitions,
      boolean latest,
      List<OffsetRange> learned) {
    try {
      commitMissing(admin, topics, group, topic, partitions, latest, learned);
    } catch (GroupAtWorkException members) {
      // Nobody else may choose: its members begin there by themselves (layout ordered), or end with
      // what to do.
    }
  }

  /**
   * The same for topics at which members of the group do not begin by themselves where partitions
   * were added. It waits for their end: an instance that has failed is a member until its session
   * ends.
   *
   * @throws SottoException where the group still has members after a minute
   */
  public static void commitOnceEmpty(
      Admin admin, TopicSetup topics, String group, String topic, int partitions, boolean latest) {
    long deadline = System.nanoTime() + UNTIL_EMPTY.toNanos();
    boolean told = false;
    while (true) {
      try {
        commitMissing(admin, topics, group, topic, partitions, latest, List.of());
        return;
      } catch (GroupAtWorkException members) {
        if (System.nanoTime() - deadline > 0) {
          throw new SottoException(
              FailureKind.TOPIC,
              "topic " + topic + " has got partitions that group " + group
                  + " has no offset for, and the group still has members, so none can be set. Stop"
                  + " all instances of " + group + ", then start again",
              members);
        }
        if (!told) {
          LOG.info(
              "waits up to {} s until group {} has no members: topic {} has got partitions, where it"
                  + " is to begin",
              UNTIL_EMPTY.toSeconds(),
              group,
              topic);
          told = true;
        }
        TopicSetup.pause();
      }
    }
  }

  /** The group has members, and only they may choose its offsets. */
  private static final class GroupAtWorkException extends RuntimeException {
    private static final long serialVersionUID = 1;

    GroupAtWorkException(Throwable refused) {
      super(refused);
    }
  }

  private static void commitMissing(
      Admin admin,
      TopicSetup topics,
      String group,
      String topic,
      int partitions,
      boolean latest,
      List<OffsetRange> learned) {
    List<TopicPartition> all = IntStream.range(0, partitions)
        .mapToObj(each -> new TopicPartition(topic, each))
        .toList();
    Map<TopicPartition, OffsetAndMetadata> known = committed(admin, topics, group);
    List<TopicPartition> missing =
        all.stream().filter(each -> known.get(each) == null).toList();
    if (missing.isEmpty()) {
      return;
    }
    // A partition that was added to a topic already read from begins at its beginning.
    boolean first = missing.size() == all.size();
    OffsetSpec where = latest && first ? OffsetSpec.latest() : OffsetSpec.earliest();
    try {
      commit(admin, topics, group, behind(learned, find(admin, topics, missing, where)));
    } catch (SottoException refused) {
      if (!first && refused.getCause() instanceof UnknownMemberIdException) {
        throw new GroupAtWorkException(refused);
      }
      throw refused;
    }
  }

  /** Offsets none of which lies before the end of what was learned in its partition. */
  static Map<TopicPartition, Long> behind(
      List<OffsetRange> learned, Map<TopicPartition, Long> offsets) {
    Map<TopicPartition, Long> moved = new HashMap<>(offsets);
    for (OffsetRange range : learned) {
      moved.replaceAll((where, offset) ->
          where.partition() == range.partition() ? Math.max(offset, range.to()) : offset);
    }
    return moved;
  }

  /**
   * Refuses where a run that is to learn from new records only would read others.
   *
   * @param next the offsets from which it reads
   * @param learned by the run at whose model it began
   */
  static void requireBehind(Map<TopicPartition, Long> next, List<OffsetRange> learned, String app) {
    for (OffsetRange range : learned) {
      next.forEach((where, offset) -> {
        if (where.partition() == range.partition() && offset < range.to()) {
          throw new UnsafeToContinueException("the run " + app + " began with a budget of its own,"
              + " since it learns only from records that the run before it had not learned: in "
              + where + " from offset " + range.to() + " on. But its group stands at " + offset
              + ". Put the group's offset back to " + range.to() + " or behind it, or "
              + NewHistory.START);
        }
      });
    }
  }

  /** {@link #requireBehind} of the group's offsets as they are now. */
  public static void requireBehind(
      Admin admin, TopicSetup topics, String group, String topic, List<OffsetRange> learned) {
    requireBehind(next(admin, topics, group, topic), learned, group);
  }

  /** The offsets from which a group reads a topic; partitions without one are left out. */
  public static Map<TopicPartition, Long> next(
      Admin admin, TopicSetup topics, String group, String topic) {
    Map<TopicPartition, Long> next = new HashMap<>();
    committed(admin, topics, group).forEach((where, offset) -> {
      if (offset != null && where.topic().equals(topic)) {
        next.put(where, offset.offset());
      }
    });
    return next;
  }

  /**
   * The rounds layout: events from where its first round begins, and its own topics from their
   * beginning.
   */
  public static void ofRounds(
      Admin admin, TopicSetup topics, LearnerSettings settings, SourceTopics source) {
    Map<TopicPartition, Long> events = new HashMap<>();
    for (OffsetRange slice : source.genesis().firstSlices()) {
      events.put(new TopicPartition(settings.eventTopic(), slice.partition()), slice.from());
    }
    Set<TopicPartition> known = committed(admin, topics, settings.app()).keySet();
    events.keySet().removeAll(known);
    if (!events.isEmpty()) {
      commit(admin, topics, settings.app(), events);
    }
    commit(
        admin,
        topics,
        settings.app(),
        Names.control(settings.app()),
        source.genesis().firstSlices().size(),
        false);
    commit(admin, topics, settings.app(), source.topic(), 1, false);
  }

  /** The offsets at one end of some partitions. */
  static Map<TopicPartition, Long> find(
      Admin admin, TopicSetup topics, Collection<TopicPartition> partitions, OffsetSpec where) {
    Map<TopicPartition, OffsetSpec> asked =
        partitions.stream().collect(Collectors.toMap(each -> each, each -> where));
    var found = topics.patiently(
        () -> admin
            .listOffsets(asked, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
            .all(),
        "look up the offsets of " + partitions);
    Map<TopicPartition, Long> offsets = new HashMap<>();
    found.forEach((partition, info) -> offsets.put(partition, info.offset()));
    return offsets;
  }

  private static void commit(
      Admin admin, TopicSetup topics, String group, Map<TopicPartition, Long> offsets) {
    Map<TopicPartition, OffsetAndMetadata> chosen = new HashMap<>();
    offsets.forEach((partition, offset) -> chosen.put(partition, new OffsetAndMetadata(offset)));
    try {
      topics.patiently(
          () -> admin.alterConsumerGroupOffsets(group, chosen).all(),
          "commit the first offsets of group " + group);
    } catch (SottoException refused) {
      // Another instance of the group may have done it meanwhile; then its choice stands.
      if (!committed(admin, topics, group).keySet().containsAll(offsets.keySet())) {
        throw refused;
      }
    }
  }

  private static Map<TopicPartition, OffsetAndMetadata> committed(
      Admin admin, TopicSetup topics, String group) {
    return topics.await(
        admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata(),
        "read the committed offsets of group " + group);
  }
}
