package dev.sotto.topology;

import static dev.sotto.topology.TopicNeed.parties;
import static dev.sotto.topology.TopicNeed.settings;

import dev.sotto.topology.TopicNeed.Count;
import dev.sotto.topology.TopicNeed.Party;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.streams.TopologyDescription;

/**
 * The one table of what every topic of a learner must be: the learner creates and checks its topics by it, and what
 * describes or checks them for people reads the same lines.
 */
public final class TopicNeeds {
  private static final String FOREVER = "-1";

  /** Kafka's own default: chunks, dead letters and sequenced slots are cut to fit it. */
  private static final String ROOM = "1048588";

  /** Small, so that compaction, which leaves the segment in use alone, has something to do. */
  private static final String SMALL_SEGMENT = Integer.toString(16 << 20);

  private static final String ARRIVAL = "LogAppendTime";

  private TopicNeeds() {}

  /** The users' topic; all that is asked of it is that no record vanishes before it is learned. */
  public static TopicNeed events(LearnerSettings settings) {
    return new TopicNeed(
        settings.eventTopic(),
        isOneByOne(settings) ? Count.ONE : Count.YOURS,
        settings(),
        false,
        "events, in clear",
        parties(Party.PRODUCERS),
        parties(mapper(settings.layout())));
  }

  /**
   * The topics that a learner creates where they are missing, but for the changelogs, which Streams creates.
   *
   * @param historyHorizon for how long every snapshot stays readable
   */
  public static List<TopicNeed> own(LearnerSettings settings, Duration historyHorizon) {
    String app = settings.app();
    List<TopicNeed> all = new ArrayList<>();
    Party closer = closer(settings.layout());
    Count homes = homes(settings.layout());
    all.add(new TopicNeed(
        Names.deadLetters(app),
        Count.ANY,
        settings(
            "cleanup.policy",
            "delete",
            "max.message.bytes",
            ROOM,
            "message.timestamp.type",
            ARRIVAL),
        false,
        "records that could not be used, as they came",
        parties(mapper(settings.layout()), closer),
        parties(Party.OPERATORS)));
    all.add(new TopicNeed(
        Names.ledger(app),
        homes,
        settings(
            "cleanup.policy", "delete",
            "message.timestamp.type", ARRIVAL,
            "retention.bytes", FOREVER,
            "retention.ms", FOREVER),
        true,
        "what every round has cost, chained",
        parties(closer),
        parties(closer, Party.READERS)));
    if (settings.plan().metrics() != null) {
      all.add(new TopicNeed(
          Names.metrics(app),
          homes,
          settings("cleanup.policy", "delete", "message.timestamp.type", ARRIVAL),
          true,
          "private metrics of the rounds",
          parties(closer),
          parties(Party.READERS)));
    }
    all.addAll(between(settings));
    all.add(new TopicNeed(
        Names.snapshots(app),
        homes,
        settings(
            "cleanup.policy",
            "compact",
            "max.message.bytes",
            ROOM,
            "message.timestamp.type",
            ARRIVAL,
            "min.compaction.lag.ms",
            Long.toString(historyHorizon.toMillis())),
        true,
        "model versions",
        parties(closer),
        parties(Party.READERS)));
    return List.copyOf(all);
  }

  /** What a layout keeps between its own tasks; inside the trust boundary, and never to be deleted. */
  private static List<TopicNeed> between(LearnerSettings settings) {
    return switch (settings.layout()) {
      case DIRECT -> List.of();
      case ROUNDS ->
        List.of(
            newestOnly(
                Names.control(settings.app()),
                Count.AS_EVENTS,
                "which round is open, with the point at which its gradients are taken",
                Party.COORDINATOR,
                Party.WORKER),
            newestOnly(
                Names.sums(settings.app()),
                Count.ONE,
                "the encrypted sums of the workers' slices",
                Party.WORKER,
                Party.COORDINATOR));
      case FUNNEL ->
        List.of(new TopicNeed(
            Names.sequence(settings.app()),
            Count.ONE,
            settings(
                "cleanup.policy", "delete",
                "max.message.bytes", ROOM,
                "message.timestamp.type", ARRIVAL,
                "retention.bytes", FOREVER,
                "retention.ms", FOREVER),
            false,
            "the one order of all events, each in its mapped form",
            parties(Party.FUNNEL),
            parties(Party.TRAINER)));
    };
  }

  /** A topic of which only the newest of every key counts. */
  private static TopicNeed newestOnly(
      String topic, Count count, String holds, Party writer, Party reader) {
    return new TopicNeed(
        topic,
        count,
        settings(
            "cleanup.policy", "compact",
            "max.message.bytes", ROOM,
            "message.timestamp.type", ARRIVAL,
            "segment.bytes", SMALL_SEGMENT),
        false,
        holds,
        parties(writer),
        parties(reader));
  }

  /** Who maps events. */
  private static Party mapper(Layout layout) {
    return switch (layout) {
      case DIRECT -> Party.TRAINER;
      case FUNNEL -> Party.FUNNEL;
      case ROUNDS -> Party.WORKER;
    };
  }

  /** Who closes rounds, and publishes. */
  private static Party closer(Layout layout) {
    return layout == Layout.ROUNDS ? Party.COORDINATOR : Party.TRAINER;
  }

  private static Count homes(Layout layout) {
    return layout == Layout.DIRECT ? Count.AS_EVENTS : Count.ONE;
  }

  /** The changelogs of a drawing's stores, which Streams creates. */
  static List<TopicNeed> changelogs(
      String app, TopologyDescription drawing, List<TopicNeed> known) {
    List<TopicNeed> all = new ArrayList<>();
    for (TopologyDescription.Subtopology part : drawing.subtopologies()) {
      Count count = part.nodes().stream()
          .filter(TopologyDescription.Source.class::isInstance)
          .flatMap(node -> ((TopologyDescription.Source) node).topicSet().stream())
          .map(topic -> countOf(topic, known))
          .max(Enum::compareTo)
          .orElse(Count.ONE);
      for (TopologyDescription.Node node : part.nodes()) {
        if (node instanceof TopologyDescription.Processor processor) {
          boolean rounds = known.stream().anyMatch(need -> need.topic().equals(Names.control(app)));
          Party closer = rounds ? Party.COORDINATOR : Party.TRAINER;
          Party party = node.name().equals(Names.FUNNEL) ? Party.FUNNEL : closer;
          processor.stores().stream()
              .sorted()
              .forEach(store -> all.add(new TopicNeed(
                  Names.changelog(app, store),
                  count,
                  settings("cleanup.policy", "compact", "message.timestamp.type", ARRIVAL),
                  false,
                  "the state of store " + store + ": raw, or nearly raw, data",
                  parties(party),
                  parties(party))));
        }
      }
    }
    return List.copyOf(all);
  }

  /** The event topic is the one that no other line names. */
  private static Count countOf(String topic, List<TopicNeed> known) {
    return known.stream()
        .filter(need -> need.topic().equals(topic))
        .map(TopicNeed::partitions)
        .findFirst()
        .orElse(Count.AS_EVENTS);
  }

  /** What is wrong with so many partitions of the event topic under a layout; empty where nothing is. */
  public static Optional<String> partitionsFault(LearnerSettings settings, int eventPartitions) {
    if (settings.layout() == Layout.ROUNDS && settings.plan().batch() % eventPartitions != 0) {
      return Optional.of(
          "layout rounds takes as many slots of each partition in every round: batch.size must be a multiple of "
              + eventPartitions + ", the partitions of " + settings.eventTopic() + ", but was "
              + settings.plan().batch());
    }
    return !isOneByOne(settings) || eventPartitions == 1
        ? Optional.empty()
        : Optional.of(
            "layout direct with model.id.source constant needs an event topic of 1 partition, but "
                + settings.eventTopic() + " has " + eventPartitions
                + ": choose layout funnel (one model over all partitions), or model.id.source partition, key or header");
  }

  /** Whether one model lives in the one partition of the event topic. */
  private static boolean isOneByOne(LearnerSettings settings) {
    return settings.layout() == Layout.DIRECT
        && settings.modelIds().source() == ModelIds.Source.CONSTANT;
  }
}
