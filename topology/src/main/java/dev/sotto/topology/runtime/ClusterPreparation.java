package dev.sotto.topology.runtime;

import dev.sotto.topology.admin.AdminClients;
import dev.sotto.topology.admin.LogTimeCheck;
import dev.sotto.topology.admin.RoundsInitializer;
import dev.sotto.topology.admin.StartOffsets;
import dev.sotto.topology.admin.TopicSetup;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.fetch.TopicIds;
import dev.sotto.topology.read.NewestLedgerEntries;
import dev.sotto.topology.read.PartitionReader;
import dev.sotto.topology.registry.RegistryCopies;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.ServiceSettings;
import dev.sotto.topology.settings.SourceTopics;
import dev.sotto.topology.start.StartInitializer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;

/**
 * What a start checks on a cluster, creates there and commits for its group, before anything runs.
 */
final class ClusterPreparation {
  private final LearnerSettings settings;
  private final ServiceSettings service;
  private final BooleanSupplier stopped;

  /**
   * That of a learner.
   *
   * @param stopped whether one must not wait any longer
   */
  ClusterPreparation(LearnerSettings settings, ServiceSettings service, BooleanSupplier stopped) {
    this.settings = settings;
    this.service = service;
    this.stopped = stopped;
  }

  /**
   * What was found.
   *
   * @param source the topics that are learned from
   * @param eventPartitions of the event topic
   * @param ids of all that is read and named in them
   */
  record Prepared(SourceTopics source, int eventPartitions, TopicIds ids) {}

  /**
   * Checks and creates.
   *
   * @throws SottoException with a message; nothing may run then
   */
  Prepared prepare() {
    service.copies().ifPresent(this::prepare);
    try (Admin admin = AdminClients.of(service)) {
      TopicSetup topics = new TopicSetup(admin, service.bootstrapServers(), service.replication());
      topics.await(admin.describeCluster().nodes(), "reach the cluster");
      StartOffsets.lost(admin, topics, settings).ifPresent(why -> {
        throw new UnsafeToContinueException(why);
      });
      SourceTopics source = topics.prepare(settings, service);
      topics.requireSettings(Deployment.of(settings, service).changelogs());
      int eventPartitions = topics.partitions(settings.eventTopic());
      TopicIds ids = ids(topics, source);
      requireSameRun(topics);
      StartInitializer.begin(service.clients(), settings, source.eventTopicId());
      if (settings.layout().sumsParts()) {
        source = source.with(new RoundsInitializer(settings, service).find(admin, topics, source));
        StartOffsets.ofRounds(admin, topics, settings, source);
      } else {
        beginJoin(admin, topics, eventPartitions);
        StartOffsets.commit(
            admin,
            topics,
            settings.app(),
            settings.eventTopic(),
            eventPartitions,
            service.fromLatest()
                && settings.learnedBefore().isEmpty()
                && settings.labels().isEmpty(),
            settings.learnedBefore());
        StartOffsets.requireBehind(
            admin, topics, settings.app(), settings.eventTopic(), settings.learnedBefore());
        for (String users : usersTopics()) {
          LogTimeCheck.check(
              settings,
              service.clients(),
              () -> StartOffsets.next(admin, topics, settings.app(), users));
        }
      }
      if (settings.layout().keepsOrder()) {
        StartOffsets.commit(
            admin, topics, settings.app(), source.topic(), source.partitions(), false);
      }
      return new Prepared(source, eventPartitions, ids);
    }
  }

  /** Before the group's first offsets are chosen: what they mean belongs to these topics. */
  private TopicIds ids(TopicSetup topics, SourceTopics source) {
    Map<String, String> ids = new HashMap<>();
    usersTopics().forEach(each -> ids.put(each, topics.id(each)));
    ids.put(source.topic(), source.topicId());
    ids.put(settings.eventTopic(), source.eventTopicId());
    return new TopicIds(ids);
  }

  /** Before anything is created: who has no ids waits with nothing open. */
  private void prepare(RegistryCopies copies) {
    copies.prepare(
        Map.of(
            RegistryCopies.Kind.LEDGER,
            Names.registryCopy(Names.ledger(settings.app())),
            RegistryCopies.Kind.SNAPSHOTS,
            Names.registryCopy(Names.snapshots(settings.app()))),
        stopped);
  }

  /** What was published tells it, so nobody need wait for a record. */
  private void requireSameRun(TopicSetup topics) {
    String ledger = Names.ledger(settings.app());
    try (PartitionReader reader =
        new PartitionReader(service.clients(), PartitionReader.COMMITTED)) {
      NewestLedgerEntries entries = new NewestLedgerEntries(service.clients(), reader, ledger);
      entries
          .last(topics.partitions(ledger))
          .forEach((partition, last) -> entries.requireSameRun(partition, last, settings));
    }
  }

  private List<String> usersTopics() {
    return settings
        .labels()
        .map(labels -> List.of(labels.features(), labels.topic()))
        .orElse(List.of(settings.eventTopic()));
  }

  /** Where labels come later, it is the users' topics that a first start begins to read. */
  private void beginJoin(Admin admin, TopicSetup topics, int eventPartitions) {
    if (settings.labels().isPresent()) {
      usersTopics()
          .forEach(users -> StartOffsets.commitOnceEmpty(
              admin,
              topics,
              settings.app(),
              users,
              eventPartitions,
              service.fromLatest(),
              stopped));
    }
  }
}
