package dev.sotto.topology.admin;

import static dev.sotto.topology.settings.TopicRequirement.parties;
import static dev.sotto.topology.settings.TopicSettings.large;

import dev.sotto.topology.layout.LayoutTopology;
import dev.sotto.topology.registry.RegistryCopies;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.ServiceSettings;
import dev.sotto.topology.settings.TopicRequirement;
import dev.sotto.topology.settings.TopicRequirement.Access;
import dev.sotto.topology.settings.TopicRequirement.Count;
import dev.sotto.topology.settings.TopicRequirement.Party;
import dev.sotto.topology.settings.TopicSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.streams.TopologyDescription;

/**
 * The one table of what every topic of a learner must be: the learner creates and checks its topics
 * by it, and what describes or checks them for people reads the same lines.
 */
public final class TopicRequirements {
  private TopicRequirements() {}

  /** The users' topic; all that is asked of it is that no record vanishes before it is learned. */
  public static TopicRequirement events(LearnerSettings settings) {
    return new TopicRequirement(
        settings.sourceTopic(),
        settings.layout().needsOnePartition(settings) ? Count.ONE : Count.YOURS,
        settings.needsLogTimeOfEvents() ? TopicSettings.datedByBrokers() : TopicSettings.of(),
        false,
        "events, in clear",
        new Access(
            parties(Party.PRODUCERS),
            announcedTo(
                settings,
                settings.labels().isPresent()
                    ? Party.JOINER
                    : LayoutTopology.of(settings).mapper())));
  }

  /** The users' topic of labels that come later, if they do. */
  public static Optional<TopicRequirement> labels(LearnerSettings settings) {
    return settings
        .labels()
        .map(labels -> new TopicRequirement(
            labels.topic(),
            Count.AS_EVENTS,
            TopicSettings.datedByBrokers(),
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
                each.holds() + ", after ids of a registry",
                new Access(each.writers(), parties(Party.READERS))))));
    return List.copyOf(all);
  }

  private static List<TopicRequirement> own(LearnerSettings settings, Duration historyHorizon) {
    String app = settings.app();
    List<TopicRequirement> all = new ArrayList<>();
    LayoutTopology layout = LayoutTopology.of(settings);
    Party closer = layout.closer();
    Count homes = settings.layout().spansPartitions() ? Count.ONE : Count.AS_EVENTS;
    all.add(new TopicRequirement(
        Names.deadLetters(app),
        Count.ANY,
        TopicSettings.letters(),
        false,
        "records that could not be used, as they came",
        new Access(parties(layout.mapper(), closer), parties(Party.OPERATORS))));
    all.add(new TopicRequirement(
        Names.ledger(app),
        homes,
        TopicSettings.keptForEver(),
        true,
        "what every round has cost, chained",
        new Access(parties(closer), parties(closer, Party.READERS))));
    if (settings.run().start().filter(LearnerSettings.Start::fromTopics).isPresent()) {
      all.add(new TopicRequirement(
          Names.start(app),
          Count.ONE,
          large(TopicSettings.keptForEver()),
          true,
          "the published model at which the run began",
          new Access(parties(closer), parties(closer))));
    }
    if (settings.plan().metrics() != null) {
      all.add(new TopicRequirement(
          Names.metrics(app),
          homes,
          TopicSettings.keptForAWeek(),
          true,
          "private metrics of the rounds",
          new Access(parties(closer), parties(closer, Party.READERS)))); // its alarm reads them
    }
    all.addAll(layout.topics(settings));
    if (settings.labels().isPresent()) {
      all.add(new TopicRequirement(
          settings.eventTopic(),
          Count.AS_EVENTS,
          large(TopicSettings.keptAsEvents()),
          false,
          "events with their labels, in clear",
          new Access(parties(Party.JOINER), announcedTo(settings, layout.mapper()))));
    }
    all.add(new TopicRequirement(
        Names.snapshots(app),
        homes,
        TopicSettings.newestBehind(historyHorizon),
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
        TopicSettings.newestOnly(),
        true,
        "names of versions",
        new Access(parties(Party.OPERATORS), parties(Party.READERS)));
  }

  /** Who reads events: to order them, one must know when they came. */
  private static Set<Party> announcedTo(LearnerSettings settings, Party reader) {
    return settings.layout().keepsOrder() ? parties(Party.ANNOUNCER, reader) : parties(reader);
  }

  /** The changelogs of a topology's stores, which Streams creates. */
  public static List<TopicRequirement> changelogs(
      LearnerSettings settings, TopologyDescription topology, List<TopicRequirement> known) {
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
          Party party = processor.name().equals(Names.JOIN)
              ? Party.JOINER
              : LayoutTopology.of(settings).closer();
          processor.stores().stream()
              .sorted()
              .forEach(store -> all.add(new TopicRequirement(
                  Names.changelog(settings.app(), store),
                  count,
                  TopicSettings.changelog(),
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
}
