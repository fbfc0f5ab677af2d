package dev.sotto.topology;

import dev.sotto.topology.batch.BatchRule;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.label.WaitingBytes;
import dev.sotto.topology.layout.LayoutTopology;
import dev.sotto.topology.layout.LearnerStores;
import dev.sotto.topology.layout.Subtopology;
import dev.sotto.topology.log.Logs;
import dev.sotto.topology.processor.JoinTimes;
import dev.sotto.topology.processor.LabelProcessor;
import dev.sotto.topology.registry.RegistryCopies;
import dev.sotto.topology.settings.LateLabels;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.SourceTopics;
import dev.sotto.topology.status.LearnerStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.TopologyException;

/**
 * Builds the topology. Not in it are:
 *
 * <ul>
 *   <li>batches: {@code BoundedConsumer} packs the records of one fetch into one, which {@code
 *       WatchedProcessor} unpacks ({@link #batched});
 *   <li>the announcer of layout ordered, which writes the topic of the order, on a thread of its
 *   own and outside of transactions ({@link Logs#announce});
 *   <li>the readers of committed logs, with consumers of their own and without a group: of events
 *   that an order announces, of all that is read again after a restart, and of the ledger ({@link
 *   Logs}).
 * </ul>
 */
public final class LearnerTopology {
  private LearnerTopology() {}

  /**
   * The topology of a learner.
   *
   * @param source the topic that the trainer reads: events, announcements, or sums
   * @param copies where what is published is copied to
   */
  public static Topology build(
      LearnerSettings settings, SourceTopics source, Logs logs, Optional<RegistryCopies> copies) {
    Topology topology = new Topology();
    LearnerStatus status = new LearnerStatus(LearnerStatus.MOST_MODELS);
    addTo(topology, settings, source, logs, new TaskWatch(status, copies));
    return topology;
  }

  /**
   * Adds the same to a topology of one's own, which keeps what it has: both run in one application,
   * and in one transaction where they share a thread.
   *
   * @throws SottoException where the two cannot be one: they read the same topic, have nodes or
   *     stores of one name, or the layout holds tasks back
   */
  public static void addTo(
      Topology own,
      LearnerSettings settings,
      SourceTopics source,
      Logs logs,
      LearnerStatus status) {
    addTo(own, settings, source, logs, new TaskWatch(status, Optional.empty()));
  }

  /** The same, with copies of what is published. */
  public static void addTo(
      Topology own, LearnerSettings settings, SourceTopics source, Logs logs, TaskWatch watch) {
    if (settings.layout().sumsParts() && !own.describe().subtopologies().isEmpty()) {
      throw new SottoException(
          FailureKind.CONFIGURATION,
          "layout " + settings.layout().configName()
              + " holds tasks back until all of their partitions have records, and would hold back"
              + " those of your own topology: take another layout, or start the learner as an"
              + " application of its own");
    }
    try {
      LearnerNodes.add(
          own, subtopologies(settings, source, logs, watch.status()), settings.app(), watch);
    } catch (TopologyException clash) {
      throw new SottoException(
          FailureKind.CONFIGURATION,
          "the learner cannot be added to your own topology: " + clash.getMessage()
              + "; the learner alone reads " + settings.sourceTopic()
              + " and its own topics, and its nodes and stores need their names for themselves",
          clash);
    }
  }

  /** The topics that the learner's processors read, and nobody else in the application. */
  public static Set<String> inputs(LearnerSettings settings) {
    Set<String> all = new HashSet<>(LayoutTopology.of(settings).inputs(settings));
    settings.labels().ifPresent(labels -> all.addAll(Set.of(labels.features(), labels.topic())));
    return Set.copyOf(all);
  }

  /**
   * Those of them whose records may come in batches, and in which. Others are few, and a reading
   * may follow each. What Streams hands on by its logical time is of one time in each batch; what a
   * join writes does not depend on which of its inputs is ahead.
   */
  public static Map<String, BatchRule> batched(LearnerSettings settings, SourceTopics source) {
    Map<String, BatchRule> all =
        new HashMap<>(LayoutTopology.of(settings).batched(settings, source));
    settings.labels().ifPresent(labels -> {
      all.put(labels.features(), BatchRule.ANY);
      all.put(labels.topic(), BatchRule.ANY);
    });
    return Map.copyOf(all);
  }

  /**
   * What {@link #build} adds, part by part: a later one reads what an earlier one writes. Where
   * labels come later, the first one is their join, which writes the event topic; no other part
   * knows of it.
   */
  public static List<Subtopology> subtopologies(
      LearnerSettings settings, SourceTopics source, Logs logs, LearnerStatus status) {
    List<Subtopology> parts = new ArrayList<>();
    settings.labels().ifPresent(labels -> parts.add(join(settings, labels, logs)));
    parts.addAll(behindEvents(settings, source, logs, status));
    return parts;
  }

  /** Those of them that stand behind the event topic, whoever writes it. */
  public static List<Subtopology> behindEvents(
      LearnerSettings settings, SourceTopics source, Logs logs, LearnerStatus status) {
    return LayoutTopology.of(settings).parts(settings, source, logs, status);
  }

  private static Subtopology join(LearnerSettings settings, LateLabels labels, Logs logs) {
    WaitingBytes waiting = new WaitingBytes(labels.most());
    return new Subtopology(
        Names.JOIN,
        List.of(
            new Subtopology.Input(Names.FEATURES, labels.features(), new JoinTimes()),
            new Subtopology.Input(Names.LABELS, labels.topic(), new JoinTimes())),
        () -> new LabelProcessor(settings, labels, logs, waiting),
        List.of(LearnerStores.joins()),
        List.of(new Subtopology.Output(
            Names.TO_LABELLED, settings.eventTopic(), LabelProcessor.partitioner())));
  }
}
