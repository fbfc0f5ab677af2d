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
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
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
  private static final ListOffsetsOptions COMMITTED =
      new ListOffsetsOptions(IsolationLevel.READ_COMMITTED);
  private static final ListOffsetsOptions ANY =
      new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED);
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
    Optional<AtWork> members = commitMissing(admin, topics, group, topic, partitions, missing -> {
      // A partition that was added to a topic already read from begins at its beginning.
      boolean first = missing.size() == partitions;
      OffsetSpec where = latest && first ? OffsetSpec.latest() : OffsetSpec.earliest();
      return behind(learned, find(admin, topics, missing, where));
    });
    if (members.isPresent() && members.get().first()) {
      throw members.get().refused();
    }
    // Else its members begin there by themselves (layout ordered), or end with what to do.
  }

  /**
   * The same for the users' topics of a join, at which members of the group do not begin by
   * themselves where partitions were added: those begin at offset 0, so that what retention has
   * taken before it was read is not passed over in silence. It waits for the members' end: an
   * instance that has failed is one until its session ends.
   *
   * @param stopped asked while it waits; it returns then
   * @throws SottoException where the group still has members after a minute
   */
  public static void commitOnceEmpty(
      Admin admin,
      TopicSetup topics,
      String group,
      String topic,
      int partitions,
      boolean latest,
      BooleanSupplier stopped) {
    long deadline = System.nanoTime() + UNTIL_EMPTY.toNanos();
    boolean logged = false;
    while (!stopped.getAsBoolean()) {
      Optional<AtWork> members = commitMissing(
          admin,
          topics,
          group,
          topic,
          partitions,
          missing -> missing.size() == partitions
              ? find(admin, topics, missing, latest ? OffsetSpec.latest() : OffsetSpec.earliest())
              : missing.stream().collect(Collectors.toMap(each -> each, each -> 0L)));
      if (members.isEmpty()) {
        return;
      }
      if (System.nanoTime() - deadline > 0) {
        throw new SottoException(
            FailureKind.TOPIC,
            "group " + group + " has no offset of partitions of topic " + topic
                + ", and it has members, so none can be set. Stop all instances of " + group
                + ", then start again; one that did not leave is a"
                + " member until its session.timeout.ms is over",
            members.get().refused());
      }
      if (!logged) {
        LOG.info(
            "waits up to {} s until group {} has no members: topic {} has partitions that it has no"
                + " offset of",
            UNTIL_EMPTY.toSeconds(),
            group,
            topic);
        logged = true;
      }
      AdminRequests.pause(50);
    }
  }

  /**
   * Why a join cannot go on: the group has no offset of a users' partition of which it has taken
   * events before, and nobody knows from where to read on. Another topic of labels may take the
   * place of the first, of which the group then has no offset at all.
   *
   * @return the ways on; empty where it can go on, or has not begun
   */
  public static Optional<String> lost(Admin admin, TopicSetup topics, LearnerSettings settings) {
    String app = settings.app();
    Set<Integer> begun = new TreeSet<>();
    for (String own : List.of(Names.labelled(app), Names.changelog(app, Names.JOINS))) {
      TopicDescription found = settings.labels().isEmpty() ? null : topics.describe(own);
      if (found != null) {
        find(admin, topics, partitions(own, found), OffsetSpec.latest(), ANY)
            .forEach((where, end) -> {
              if (end > 0) {
                begun.add(where.partition());
              }
            });
      }
    }
    if (begun.isEmpty()) {
      return Optional.empty();
    }
    Set<TopicPartition> known = committed(admin, topics, app).keySet();
    String events = settings.sourceTopic();
    for (String users : List.of(events, settings.labels().orElseThrow().topic())) {
      List<TopicPartition> lost = begun.stream()
          .map(each -> new TopicPartition(users, each))
          .filter(each -> !known.contains(each))
          .toList();
      boolean another = !users.equals(events) && lost.size() == begun.size();
      if (!lost.isEmpty() && !another && topics.describe(users) != null) {
        return Optional.of("group " + app + " has no offset of " + lost
            + ", but has taken records there. If " + users
            + " is the topic that it read, its offsets"
            + " were deleted (brokers keep those of a stopped group for offsets.retention.minutes):"
            + " set them with kafka-consumer-groups.sh --bootstrap-server ... --group " + app
            + " --topic " + users
            + " --reset-offsets --to-earliest --execute. What was taken before"
            + " is left out; what retention has removed since then is not learned. If it is another"
            + " topic, or a new one of the same name, correct the setting, or " + NewHistory.START);
      }
    }
    return Optional.empty();
  }

  private static List<TopicPartition> partitions(String topic, TopicDescription found) {
    return found.partitions().stream()
        .map(each -> new TopicPartition(topic, each.partition()))
        .toList();
  }

  /**
   * The group has members, and nobody else may choose its offsets.
   *
   * @param refused what was answered
   * @param first whether it has no offset of the topic at all
   */
  private record AtWork(SottoException refused, boolean first) {}

  /** Commits the offsets that a group lacks; what keeps it from that, if anything does. */
  private static Optional<AtWork> commitMissing(
      Admin admin,
      TopicSetup topics,
      String group,
      String topic,
      int partitions,
      Function<List<TopicPartition>, Map<TopicPartition, Long>> beginnings) {
    Map<TopicPartition, OffsetAndMetadata> known = committed(admin, topics, group);
    List<TopicPartition> missing = IntStream.range(0, partitions)
        .mapToObj(each -> new TopicPartition(topic, each))
        .filter(each -> known.get(each) == null)
        .toList();
    if (missing.isEmpty()) {
      return Optional.empty();
    }
    try {
      commit(admin, topics, group, beginnings.apply(missing));
      return Optional.empty();
    } catch (SottoException refused) {
      if (refused.getCause() instanceof UnknownMemberIdException) {
        return Optional.of(new AtWork(refused, missing.size() == partitions));
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
              + ". Put the group's offset back to " + range.to() + " or later, or "
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
    return find(admin, topics, partitions, where, COMMITTED);
  }

  private static Map<TopicPartition, Long> find(
      Admin admin,
      TopicSetup topics,
      Collection<TopicPartition> partitions,
      OffsetSpec where,
      ListOffsetsOptions seen) {
    Map<TopicPartition, OffsetSpec> asked =
        partitions.stream().collect(Collectors.toMap(each -> each, each -> where));
    var found = topics.patiently(
        () -> admin.listOffsets(asked, seen).all(), "look up the offsets of " + partitions);
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
