package dev.sotto.topology.admin;

import static dev.sotto.topology.admin.TopicRequirement.parties;
import static dev.sotto.topology.admin.TopicRequirement.settings;

import dev.sotto.topology.admin.TopicRequirement.Access;
import dev.sotto.topology.admin.TopicRequirement.Count;
import dev.sotto.topology.admin.TopicRequirement.Party;
import dev.sotto.topology.registry.RegistryCopies;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelIdRule;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.ServiceSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import org.apache.kafka.streams.TopologyDescription;

/**
 * The one table of what every topic of a learner must be: the learner creates and checks its topics
 * by it, and what describes or checks them for people reads the same lines.
 */
public final class TopicRequirements {
  /** For how long a topic keeps records. */
  static final String RETENTION = "retention.ms";

  private static final String FOREVER = "-1";

  /** Kafka's own default: chunks and dead letters are cut to fit it. */
  private static final String ROOM = "1048588";

  /** Small, so that compaction, which leaves the segment in use alone, has something to do. */
  private static final String SMALL_SEGMENT = Integer.toString(16 << 20);

  /** What lies in the segment in use stays beyond its time. */
  private static final String SEGMENT = Integer.toString(64 << 20);

  /** For how long dead letters and metrics are kept. */
  private static final String WEEK = Long.toString(Duration.ofDays(7).toMillis());

  /** Of dead letters in one partition: whoever sends nothing but faulty events fills no disk. */
  private static final String LETTERS = Long.toString(1L << 30);

  /** The setting that says whose timestamps records have. */
  public static final String TIMESTAMPS = "message.timestamp.type";

  static final String ARRIVAL = "LogAppendTime";

  private TopicRequirements() {}

  /** The users' topic; all that is asked of it is that no record vanishes before it is learned. */
  public static TopicRequirement events(LearnerSettings settings) {
    return new TopicRequirement(
        settings.sourceTopic(),
        isOneByOne(settings) ? Count.ONE : Count.YOURS,
        settings.needsLogTimeOfEvents() ? settings(TIMESTAMPS, ARRIVAL) : settings(),
        false,
        "events, in clear",
        new Access(
            parties(Party.PRODUCERS),
            settings.labels().isPresent() ? joiners(settings) : readers(settings.layout())));
  }

  /** The users' topic of labels that come later, if they do. */
  public static Optional<TopicRequirement> labels(LearnerSettings settings) {
    return settings
        .labels()
        .map(labels -> new TopicRequirement(
            labels.topic(),
            Count.AS_EVENTS,
            settings(TIMESTAMPS, ARRIVAL),
            false,
            "labels that come later, in clear",
            new Access(parties(Party.PRODUCERS), parties(Party.JOINER))));
  }

  /**
   * The topics that a learner creates where they are missing, but for the changelogs, which Streams
   * creates.
   */
  public static List<TopicRequirement> own(LearnerSettings settings, ServiceSettings service) {
    List<TopicRequirement> all = new ArrayList<>(own(settings, service.historyHorizon()));
    service
        .copies()
        .ifPresent(copies -> List.copyOf(all).stream()
            .filter(each -> each.topic().equals(Names.ledger(settings.app()))
                    && copies.has(RegistryCopies.Kind.LEDGER)
                || each.topic().equals(Names.snapshots(settings.app()))
                    && copies.has(RegistryCopies.Kind.SNAPSHOTS))
            .forEach(each -> all.add(new TopicRequirement(
                Names.registryCopy(each.topic()),
                each.partitions(),
                each.settings(),
                each.outside(),
                each.holds() + ", behind ids of a registry",
                new Access(each.writers(), parties(Party.READERS))))));
    return List.copyOf(all);
  }

  private static List<TopicRequirement> own(LearnerSettings settings, Duration historyHorizon) {
    String app = settings.app();
    List<TopicRequirement> all = new ArrayList<>();
    Party closer = closer(settings.layout());
    Count homes = homes(settings.layout());
    all.add(new TopicRequirement(
        Names.deadLetters(app),
        Count.ANY,
        settings(
            "cleanup.policy",
            "delete",
            "max.message.bytes",
            ROOM,
            "message.timestamp.type",
            ARRIVAL,
            "retention.bytes",
            LETTERS,
            "retention.ms",
            WEEK,
            "segment.bytes",
            SEGMENT),
        false,
        "records that could not be used, as they came",
        new Access(parties(mapper(settings.layout()), closer), parties(Party.OPERATORS))));
    all.add(new TopicRequirement(
        Names.ledger(app),
        homes,
        settings(
            "cleanup.policy", "delete",
            "message.timestamp.type", ARRIVAL,
            "retention.bytes", FOREVER,
            "retention.ms", FOREVER),
        true,
        "what every round has cost, chained",
        new Access(parties(closer), parties(closer, Party.READERS))));
    if (settings.run().start().filter(LearnerSettings.Start::fromTopics).isPresent()) {
      all.add(new TopicRequirement(
          Names.start(app),
          Count.ONE,
          keptForEver(),
          true,
          "the published model at which the run began",
          new Access(parties(closer), parties(closer))));
    }
    if (settings.plan().metrics() != null) {
      all.add(new TopicRequirement(
          Names.metrics(app),
          homes,
          settings(
              "cleanup.policy", "delete", "message.timestamp.type", ARRIVAL, "retention.ms", WEEK),
          true,
          "private metrics of the rounds",
          new Access(parties(closer), parties(closer, Party.READERS)))); // its alarm reads them
    }
    all.addAll(between(settings));
    all.add(new TopicRequirement(
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
            Long.toString(historyHorizon.toMillis()),
            "segment.bytes",
            SEGMENT),
        true,
        "model versions",
        new Access(parties(closer), parties(Party.READERS))));
    return List.copyOf(all);
  }

  /** Where people name versions: made when the first alias is set, whoever does it. */
  public static TopicRequirement aliases(String app) {
    return new TopicRequirement(
        Names.aliases(app),
        Count.ONE,
        settings(
            "cleanup.policy", "compact",
            "message.timestamp.type", ARRIVAL,
            "segment.bytes", SMALL_SEGMENT),
        true,
        "names of versions",
        new Access(parties(Party.OPERATORS), parties(Party.READERS)));
  }

  /**
   * What a layout keeps between its own tasks; inside the trust boundary, and never to be deleted.
   */
  private static List<TopicRequirement> between(LearnerSettings settings) {
    List<TopicRequirement> all = new ArrayList<>(betweenOfLayout(settings));
    if (settings.labels().isPresent()) {
      all.add(new TopicRequirement(
          settings.eventTopic(),
          Count.AS_EVENTS,
          settings(
              "cleanup.policy",
              "delete",
              "max.message.bytes",
              ROOM,
              "message.timestamp.type",
              ARRIVAL,
              "retention.bytes",
              FOREVER,
              RETENTION,
              WEEK),
          false,
          "events with their labels, in clear",
          new Access(parties(Party.JOINER), readers(settings.layout()))));
    }
    return all;
  }

  private static List<TopicRequirement> betweenOfLayout(LearnerSettings settings) {
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
      case ORDERED ->
        List.of(new TopicRequirement(
            Names.order(settings.app()),
            Count.ONE,
            settings(
                "cleanup.policy",
                "delete",
                "message.timestamp.type",
                ARRIVAL,
                "retention.bytes",
                FOREVER,
                RETENTION,
                WEEK),
            false,
            "how far each partition of the events had come, in the order that defines the model",
            new Access(parties(Party.ANNOUNCER), parties(Party.TRAINER))));
    };
  }

  private static SortedMap<String, String> keptForEver() {
    return settings(
        "cleanup.policy", "delete",
        "max.message.bytes", ROOM,
        "message.timestamp.type", ARRIVAL,
        "retention.bytes", FOREVER,
        "retention.ms", FOREVER);
  }

  /** A topic of which only the newest of every key counts. */
  private static TopicRequirement newestOnly(
      String topic, Count count, String holds, Party writer, Party reader) {
    return new TopicRequirement(
        topic,
        count,
        settings(
            "cleanup.policy", "compact",
            "max.message.bytes", ROOM,
            "message.timestamp.type", ARRIVAL,
            "segment.bytes", SMALL_SEGMENT),
        false,
        holds,
        new Access(parties(writer), parties(reader)));
  }

  private static Set<Party> readers(Layout layout) {
    return layout == Layout.ORDERED
        ? parties(Party.ANNOUNCER, Party.TRAINER)
        : parties(mapper(layout));
  }

  /** Who reads events whose labels come later; to order them, one need know when they came. */
  private static Set<Party> joiners(LearnerSettings settings) {
    return settings.layout() == Layout.ORDERED
        ? parties(Party.JOINER, Party.ANNOUNCER)
        : parties(Party.JOINER);
  }

  /** Who maps events. */
  private static Party mapper(Layout layout) {
    return switch (layout) {
      case DIRECT -> Party.TRAINER;
      case ORDERED -> Party.TRAINER;
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

  /** The changelogs of a topology's stores, which Streams creates. */
  public static List<TopicRequirement> changelogs(
      String app, TopologyDescription topology, List<TopicRequirement> known) {
    List<TopicRequirement> all = new ArrayList<>();
    for (TopologyDescription.Subtopology part : topology.subtopologies()) {
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
          Party party = processor.name().equals(Names.JOIN) ? Party.JOINER : closer;
          processor.stores().stream()
              .sorted()
              .forEach(store -> all.add(new TopicRequirement(
                  Names.changelog(app, store),
                  count,
                  settings("cleanup.policy", "compact", "message.timestamp.type", ARRIVAL),
                  false,
                  "the state of store " + store + ": raw, or nearly raw, data",
                  new Access(parties(party), parties(party)))));
        }
      }
    }
    return List.copyOf(all);
  }

  /** The event topic is the one that no other line names. */
  private static Count countOf(String topic, List<TopicRequirement> known) {
    return known.stream()
        .filter(need -> need.topic().equals(topic))
        .map(TopicRequirement::partitions)
        .findFirst()
        .orElse(Count.AS_EVENTS);
  }

  /** Whether one model lives in the one partition of the event topic. */
  static boolean isOneByOne(LearnerSettings settings) {
    return settings.layout() == Layout.DIRECT
        && settings.modelIds().source() == ModelIdRule.Source.CONSTANT;
  }
}
