package dev.sotto.topology.admin;

import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.settings.EventPartitions;
import dev.sotto.topology.settings.LabelKeys;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.ServiceSettings;
import dev.sotto.topology.settings.SourceTopics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
public final class TopicSetup {
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
    TopicDescription events = usersTopic(settings.sourceTopic(), "event topic", "events.topic");
    requireLogTime(settings, settings.sourceTopic());
    int partitions = events.partitions().size();
    settings.labels().ifPresent(labels -> requireLabels(settings, labels.topic(), partitions));
    boolean direct = settings.layout() == Layout.DIRECT;
    UsersTopicFaults.partitions(settings, partitions).ifPresent(wrong -> {
      requireSlices(settings, partitions); // another batch would not help a model that has begun
      throw new SottoException(FailureKind.CONFIGURATION, wrong);
    });
    new JoinPartitions(admin, this).grow(settings, partitions);
    List<String> faults = new ArrayList<>();
    TopicRequirements.own(settings, service)
        .forEach(need -> createOrCheck(settings, need, partitions, faults));
    if (!faults.isEmpty()) {
      throw new SottoException(FailureKind.TOPIC, String.join(System.lineSeparator(), faults));
    }
    if (settings.labels().isPresent()) {
      events = appeared(settings.eventTopic());
    }
    if (direct) {
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
    List<String> faults = new ArrayList<>();
    int has = found.partitions().size();
    if (!need.isMet(has, 1)) {
      faults.add("topic " + need.topic() + " must have 1 partition, but has " + has);
    }
    checkSettings(need, faults);
    if (!faults.isEmpty()) {
      throw new SottoException(FailureKind.TOPIC, String.join(System.lineSeparator(), faults));
    }
  }

  /** How many partitions a topic has that {@link #prepare} has seen. */
  public int partitions(String topic) {
    return appeared(topic).partitions().size();
  }

  private void requireLabels(LearnerSettings settings, String topic, int partitions) {
    TopicDescription labels = usersTopic(topic, "topic of labels", LabelKeys.TOPIC.name());
    requireLogTime(settings, topic);
    int has = labels.partitions().size();
    UsersTopicFaults.labelPartitions(settings, partitions, has).ifPresent(wrong -> {
      throw new SottoException(
          FailureKind.TOPIC, wrong + "; " + UsersTopicFaults.asMany(settings, partitions, has));
    });
  }

  private TopicDescription usersTopic(String topic, String what, String key) {
    TopicDescription events = find(topic, SECONDS_FOR_EVENTS);
    if (events == null) {
      throw new SottoException(
          FailureKind.TOPIC,
          "the " + what + " " + topic + " does not exist on " + bootstrapServers
              + "; create it (with the number of partitions that its producers need), or correct"
              + " " + key);
    }
    String policy = config(topic).get("cleanup.policy").value();
    if (policy.contains("compact")) {
      throw new SottoException(
          FailureKind.TOPIC,
          "the " + what + " " + topic + " has cleanup.policy " + policy
              + ", but must not be compacted: records that vanish would change rounds that are"
              + " paid for");
    }
    return events;
  }

  private void requireLogTime(LearnerSettings settings, String topic) {
    if (settings.needsLogTimeOfEvents()) {
      UsersTopicFaults.logTime(
              settings, topic, config(topic).get(TopicRequirements.TIMESTAMPS).value())
          .ifPresent(wrong -> {
            throw new SottoException(FailureKind.TOPIC, wrong);
          });
    }
  }

  private void createOrCheck(
      LearnerSettings settings, TopicRequirement need, int eventPartitions, List<String> faults) {
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
        return;
      } catch (TopicExistsException raced) {
        found = appeared(topic);
      }
    }
    int has = found.partitions().size();
    if (!need.isMet(has, eventPartitions)) {
      int must = need.partitions().of(eventPartitions);
      if (topic.equals(Names.ledger(app)) || topic.equals(Names.control(app))) {
        throw new UnsafeToContinueException(EventPartitions.others(settings, has, must));
      }
      faults.add("topic " + topic + " must have " + must + " partitions, but has " + has);
    }
    checkSettings(need, faults);
  }

  private void checkSettings(TopicRequirement need, List<String> faults) {
    String topic = need.topic();
    Config actual = config(topic);
    need.settings().forEach((name, value) -> {
      String is = actual.get(name).value();
      if (!need.isMet(name, is)) {
        faults.add(
            "topic " + topic + " must have " + name + "=" + value + ", but has " + name + "=" + is);
      }
    });
  }

  /** An order of events is of use for as long as there are these events, and no longer. */
  private void keepAsLongAsEvents(NewTopic order, String events) {
    Map<String, String> configs = new HashMap<>(order.configs());
    String retention = TopicRequirements.RETENTION;
    configs.put(retention, config(events).get(retention).value());
    order.configs(configs);
  }

  private void requireSlices(LearnerSettings settings, int partitions) {
    String control = Names.control(settings.app());
    TopicDescription began = settings.layout() == Layout.ROUNDS ? describe(control) : null;
    int has = began == null ? partitions : began.partitions().size();
    if (has != partitions) {
      throw new UnsafeToContinueException(EventPartitions.others(settings, has, partitions));
    }
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
      pause();
      found = describe(topic);
    }
    return found;
  }

  static void pause() {
    try {
      Thread.sleep(50);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new SottoException(
          FailureKind.UNEXPECTED, "interrupted while waiting for a topic", stop);
    }
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
  <T> T patiently(Supplier<KafkaFuture<T>> question, String what) {
    return patiently(question, what, SECONDS);
  }

  /** The same for a number of seconds. */
  <T> T patiently(Supplier<KafkaFuture<T>> question, String what, long seconds) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (true) {
      try {
        return await(question.get(), what);
      } catch (UnknownTopicOrPartitionException unknown) {
        if (System.nanoTime() - deadline > 0) {
          throw new SottoException(
              FailureKind.TOPIC,
              "could not " + what + " on " + bootstrapServers
                  + ": a broker does not know the topic, " + seconds
                  + " s after another did; try again",
              unknown);
        }
        pause();
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
