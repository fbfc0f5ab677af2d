package dev.sotto.topology.runtime;

import dev.sotto.topology.LearnerTopology;
import dev.sotto.topology.admin.TopicRequirements;
import dev.sotto.topology.layout.LayoutTopology;
import dev.sotto.topology.log.KafkaLogs;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ServiceSettings;
import dev.sotto.topology.settings.SourceTopics;
import dev.sotto.topology.settings.TopicRequirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.streams.TopologyDescription;

/**
 * A learner as it will be on a cluster, known without one.
 *
 * @param topology the topology
 * @param events the users' topic
 * @param labels the users' topic of labels that come later, if they do
 * @param topics those that the learner creates
 * @param changelogs those that Streams creates for the learner's stores
 * @param streams the Streams settings in force, secrets included
 */
public record Deployment(
    TopologyDescription topology,
    TopicRequirement events,
    Optional<TopicRequirement> labels,
    List<TopicRequirement> topics,
    List<TopicRequirement> changelogs,
    SortedMap<String, String> streams) {
  /** The blueprint of a learner; nothing is asked of any broker. */
  public static Deployment of(LearnerSettings settings, ServiceSettings service) {
    SourceTopics unknown = LayoutTopology.of(settings).blueprint(settings);
    TopologyDescription topology = LearnerTopology.build(
            settings, unknown, new KafkaLogs(service.transactionTimeout()), service.copies())
        .describe();
    List<TopicRequirement> topics = TopicRequirements.own(settings, service);
    SortedMap<String, String> streams = new TreeMap<>();
    Properties all = StreamsSettings.of(settings, service);
    all.stringPropertyNames().forEach(name -> streams.put(name, all.getProperty(name)));
    return new Deployment(
        topology,
        TopicRequirements.events(settings),
        TopicRequirements.labels(settings),
        topics,
        TopicRequirements.changelogs(settings, topology, topics),
        streams);
  }

  /** The changelogs of what can be derived again from the logs and the ledger. */
  public List<TopicRequirement> derivable() {
    return changelogs.stream()
        .filter(need -> need.writers().contains(TopicRequirement.Party.TRAINER))
        .toList();
  }

  /** Every topic: the users', the learner's, and the changelogs. */
  public List<TopicRequirement> everyTopic() {
    List<TopicRequirement> all = new ArrayList<>();
    all.add(events);
    labels.ifPresent(all::add);
    all.addAll(topics);
    all.addAll(changelogs);
    return List.copyOf(all);
  }
}
