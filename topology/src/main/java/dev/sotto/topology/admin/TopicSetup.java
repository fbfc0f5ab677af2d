package dev.sotto.topology.admin;

import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.failure.StartFinding;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.ServiceSettings;
import dev.sotto.topology.settings.SourceTopics;
import dev.sotto.topology.settings.TopicRequirement;
import dev.sotto.topology.settings.TopicSettings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Finds, checks and creates the topics of a learner; says what is wrong with them, all at once. */
public final class TopicSetup implements TopicFacts {
  private static final long SECONDS = 20;
  private static final long SECONDS_FOR_EVENTS = 3;

  private final Admin admin;
  private final String bootstrapServers;
  private final AdminRequests answers;
  private final short replication;

  /**
   * Topics of one cluster.
   *
   * @param replication of topics that are created; -1 for the broker's default
   */
  public TopicSetup(Admin admin, String bootstrapServers, short replication) {
    this.admin = admin;
    this.bootstrapServers = bootstrapServers;
    this.answers = new AdminRequests(bootstrapServers);
    this.replication = replication;
  }

  /** Checks the event topic, creates or checks all others, and returns what the trainer reads. */
  public SourceTopics prepare(LearnerSettings settings, ServiceSettings service) {
    StartChecks checks = new StartChecks(settings, bootstrapServers, this);
    List<StartFinding> users = new ArrayList<>(checks.events());
    users.addAll(checks.labels());
    StartFinding.stopAtFaults(users);
    TopicDescription events = appeared(settings.sourceTopic());
    int partitions = events.partitions().size();
    new JoinPartitions(admin, this).grow(settings, partitions);
    List<StartFinding> own = new ArrayList<>();
    for (TopicRequirement need : TopicRequirements.own(settings, service)) {
      OptionalInt has = createOrFind(settings, need, partitions);
      has.ifPresent(count -> own.addAll(checks.own(need, count, partitions)));
    }
    StartFinding.stopAtFaults(own);
    if (settings.labels().isPresent()) {
      events = appeared(settings.eventTopic());
    }
    if (settings.layout().readsEvents()) {
      String id = events.topicId().toString();
      return new SourceTopics(settings.eventTopic(), id, partitions, id);
    }
    String trained = settings.trainingTopic();
    TopicDescription sequence = appeared(trained);
    return new SourceTopics(
        trained, sequence.topicId().toString(), 1, events.topicId().toString());
  }

  /**
   * Creates a topic of one partition that is missing, and checks one that is there.
   *
   * @throws SottoException where it is not as it must be
   */
  public void require(TopicRequirement need) {
    TopicDescription found = describe(need.topic());
    if (found == null) {
      try {
        await(
            admin.createTopics(List.of(need.fresh(1, replication))).all(),
            "create topic " + need.topic());
        appeared(need.topic());
        return;
      } catch (TopicExistsException raced) {
        found = appeared(need.topic());
      }
    }
    List<StartFinding> faults = new ArrayList<>(StartChecks.settings(need, this, bootstrapServers));
    int has = found.partitions().size();
    if (!need.isMet(has, 1)) {
      faults.add(StartFinding.fault(
          FailureKind.TOPIC,
          "topic " + need.topic(),
          StartChecks.counted(has),
          "1 partition",
          "delete it, and it is made anew"));
    }
    StartFinding.stopAtFaults(faults);
  }

  /**
   * Checks those of the changelogs that are there: Streams makes the others.
   *
   * @throws SottoException where one is not as it must be
   */
  public void requireSettings(List<TopicRequirement> changelogs) {
    List<StartFinding> faults = new ArrayList<>();
    for (TopicRequirement need : changelogs) {
      if (describe(need.topic()) != null) {
        faults.addAll(StartChecks.settings(need, this, bootstrapServers));
      }
    }
    StartFinding.stopAtFaults(faults);
  }

  /** How many partitions a topic has that {@link #prepare} has seen. */
  public int partitions(String topic) {
    return appeared(topic).partitions().size();
  }

  /** The id of a topic that {@link #prepare} has seen. */
  public String id(String topic) {
    return appeared(topic).topicId().toString();
  }

  @Override
  public OptionalInt partitionsOf(String topic) {
    TopicDescription found = find(topic, SECONDS_FOR_EVENTS);
    return found == null
        ? OptionalInt.empty()
        : OptionalInt.of(found.partitions().size());
  }

  @Override
  public String topicSetting(String topic, String name) {
    return config(topic).get(name).value();
  }

  /** How many partitions a topic has that was there already. */
  private OptionalInt createOrFind(
      LearnerSettings settings, TopicRequirement need, int eventPartitions) {
    String app = settings.app();
    String topic = need.topic();
    TopicDescription found = describe(topic);
    if (found == null) {
      try {
        NewTopic fresh = need.fresh(eventPartitions, replication);
        if (topic.equals(Names.order(app)) || topic.equals(Names.labelled(app))) {
          keepAsLongAsEvents(fresh, settings.sourceTopic());
        }
        await(admin.createTopics(List.of(fresh)).all(), "create topic " + topic);
        appeared(topic);
        return OptionalInt.empty();
      } catch (TopicExistsException raced) {
        found = appeared(topic);
      }
    }
    return OptionalInt.of(found.partitions().size());
  }

  /** An order of events is of use for as long as there are these events, and no longer. */
  private void keepAsLongAsEvents(NewTopic order, String events) {
    Map<String, String> configs = new HashMap<>(order.configs());
    String retention = TopicSettings.RETENTION;
    configs.put(retention, topicSetting(events, retention));
    order.configs(configs);
  }

  private TopicDescription appeared(String topic) {
    TopicDescription found = find(topic, SECONDS);
    if (found == null) {
      throw new SottoException(
          FailureKind.TOPIC,
          "topic " + topic + " was created on " + bootstrapServers + ", but did not appear within "
              + SECONDS + " s; try again");
    }
    return found;
  }

  /** A topic, or null: one that was made a moment ago may not be known to every broker yet. */
  private TopicDescription find(String topic, long seconds) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    TopicDescription found = describe(topic);
    while (found == null && System.nanoTime() - deadline < 0) {
      AdminRequests.pause(50);
      found = describe(topic);
    }
    return found;
  }

  private Config config(String topic) {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    return patiently(
            () -> admin.describeConfigs(List.of(resource)).all(),
            "read the settings of topic " + topic)
        .get(resource);
  }

  /**
   * Asks about a topic that is there, again and again while the broker that answers has not heard
   * of it: another instance may have made it a moment ago.
   */
  <T> T patiently(Supplier<KafkaFuture<T>> request, String what) {
    return patiently(request, what, SECONDS);
  }

  /** The same for a number of seconds. */
  <T> T patiently(Supplier<KafkaFuture<T>> request, String what, long seconds) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (true) {
      try {
        return await(request.get(), what);
      } catch (UnknownTopicOrPartitionException unknown) {
        if (System.nanoTime() - deadline > 0) {
          throw new SottoException(
              FailureKind.TOPIC,
              "could not " + what + " on " + bootstrapServers
                  + ": a broker does not know the topic, " + seconds
                  + " s after another did; try again",
              unknown);
        }
        AdminRequests.pause(50);
      }
    }
  }

  TopicDescription describe(String topic) {
    try {
      return await(admin.describeTopics(List.of(topic)).allTopicNames(), "describe topic " + topic)
          .get(topic);
    } catch (UnknownTopicOrPartitionException missing) {
      return null;
    }
  }

  /**
   * Waits for an answer of the cluster, and turns what goes wrong into a message for the operator.
   */
  public <T> T await(KafkaFuture<T> future, String what) {
    return answers.await(future, what);
  }
}
