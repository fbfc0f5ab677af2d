package dev.sotto.topology;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Finds, checks and creates the topics of a learner; says what is wrong with them, all at once. */
public final class Topics {
  private static final long SECONDS = 20;
  private static final long SECONDS_FOR_EVENTS = 3;
  private static final String FOREVER = "-1";

  /** Kafka's own default: chunks, dead letters and sequenced slots are cut to fit it. */
  private static final String ROOM = "1048588";

  /** Small, so that compaction, which leaves the segment in use alone, has something to do. */
  private static final String SMALL_SEGMENT = Integer.toString(16 << 20);

  private static final Set<String> AT_LEAST = Set.of("min.compaction.lag.ms", "max.message.bytes");

  private final Admin admin;
  private final String bootstrapServers;
  private final short replication;

  /**
   * Topics of one cluster.
   *
   * @param replication of topics that are created; -1 for the broker's default
   */
  public Topics(Admin admin, String bootstrapServers, short replication) {
    this.admin = admin;
    this.bootstrapServers = bootstrapServers;
    this.replication = replication;
  }

  /** Checks the event topic, creates or checks all others, and returns what the trainer reads. */
  public Source prepare(LearnerSettings settings, Duration historyHorizon) {
    TopicDescription events = eventTopic(settings.eventTopic());
    int partitions = events.partitions().size();
    boolean direct = settings.layout() == Layout.DIRECT;
    if (direct && settings.modelIds().source() == ModelIds.Source.CONSTANT && partitions != 1) {
      throw new StartFailure(
          ExitCode.CONFIGURATION,
          "layout direct with model.id.source constant needs an event topic of 1 partition, but "
              + settings.eventTopic() + " has " + partitions
              + ": choose layout funnel (one model over all partitions), or model.id.source partition, key or header");
    }
    if (settings.layout() == Layout.ROUNDS && settings.plan().batch() % partitions != 0) {
      throw new StartFailure(
          ExitCode.CONFIGURATION,
          "layout rounds takes as many slots of each partition in every round: batch.size must be a multiple of "
              + partitions + ", the partitions of " + settings.eventTopic() + ", but was "
              + settings.plan().batch());
    }
    int homes = direct ? partitions : 1;
    String app = settings.app();
    Map<String, Map<String, String>> needed = new TreeMap<>();
    needed.put(
        Names.snapshots(app),
        Map.of(
            "cleanup.policy",
            "compact",
            "min.compaction.lag.ms",
            Long.toString(historyHorizon.toMillis()),
            "max.message.bytes",
            ROOM,
            "message.timestamp.type",
            "LogAppendTime"));
    needed.put(
        Names.ledger(app),
        Map.of(
            "cleanup.policy",
            "delete",
            "retention.ms",
            FOREVER,
            "retention.bytes",
            FOREVER,
            "message.timestamp.type",
            "LogAppendTime"));
    needed.put(
        Names.deadLetters(app),
        Map.of(
            "cleanup.policy",
            "delete",
            "max.message.bytes",
            ROOM,
            "message.timestamp.type",
            "LogAppendTime"));
    if (settings.plan().metrics() != null) {
      needed.put(
          Names.metrics(app),
          Map.of("cleanup.policy", "delete", "message.timestamp.type", "LogAppendTime"));
    }
    if (settings.layout() == Layout.ROUNDS) {
      Map<String, String> newestOnly = Map.of(
          "cleanup.policy",
          "compact",
          "segment.bytes",
          SMALL_SEGMENT,
          "max.message.bytes",
          ROOM,
          "message.timestamp.type",
          "LogAppendTime");
      needed.put(Names.control(app), newestOnly);
      needed.put(Names.sums(app), newestOnly);
    }
    if (settings.layout() == Layout.FUNNEL) {
      needed.put(
          Names.sequence(app),
          Map.of(
              "cleanup.policy",
              "delete",
              "retention.ms",
              FOREVER,
              "retention.bytes",
              FOREVER,
              "max.message.bytes",
              ROOM,
              "message.timestamp.type",
              "LogAppendTime"));
    }
    List<String> faults = new ArrayList<>();
    needed.forEach((topic, config) -> {
      boolean asEvents = topic.equals(Names.deadLetters(app)) || topic.equals(Names.control(app));
      int count = asEvents ? partitions : homes;
      createOrCheck(topic, count, config, topic.equals(Names.deadLetters(app)), faults);
    });
    if (!faults.isEmpty()) {
      throw new StartFailure(ExitCode.TOPIC, String.join(System.lineSeparator(), faults));
    }
    if (direct) {
      String id = events.topicId().toString();
      return new Source(settings.eventTopic(), id, partitions, id);
    }
    String trained = settings.trainingTopic();
    TopicDescription sequence = appeared(trained);
    return new Source(
        trained, sequence.topicId().toString(), 1, events.topicId().toString());
  }

  /** How many partitions a topic has that {@link #prepare} has seen. */
  int partitions(String topic) {
    return appeared(topic).partitions().size();
  }

  private TopicDescription eventTopic(String topic) {
    TopicDescription events = find(topic, SECONDS_FOR_EVENTS);
    if (events == null) {
      throw new StartFailure(
          ExitCode.TOPIC,
          "the event topic " + topic + " does not exist on " + bootstrapServers
              + "; create it (with the number of partitions that its producers need), or correct events.topic");
    }
    String policy = config(topic).get("cleanup.policy").value();
    if (policy.contains("compact")) {
      throw new StartFailure(
          ExitCode.TOPIC,
          "the event topic " + topic + " has cleanup.policy " + policy
              + ", but must not be compacted: records that vanish would change rounds that are paid for");
    }
    return events;
  }

  private void createOrCheck(
      String topic,
      int partitions,
      Map<String, String> needed,
      boolean lenient,
      List<String> faults) {
    TopicDescription found = describe(topic);
    if (found == null) {
      try {
        NewTopic fresh = replication < 0
            ? new NewTopic(topic, Optional.of(partitions), Optional.empty())
            : new NewTopic(topic, partitions, replication);
        await(admin.createTopics(List.of(fresh.configs(needed))).all(), "create topic " + topic);
        appeared(topic);
        return;
      } catch (TopicExistsException raced) {
        found = appeared(topic);
      }
    }
    if (found.partitions().size() != partitions && topic.endsWith(".ledger")) {
      throw new StartFailure(
          ExitCode.REFUSED,
          "the ledger " + topic + " was begun over " + found.partitions().size()
              + " partitions, now there are "
              + partitions
              + ": models would move to other partitions and get a fresh budget there. Do not alter the"
              + " ledger; put the number of partitions back, or start a new app.id whose budget accounts for what was"
              + " spent");
    }
    if (found.partitions().size() != partitions && !lenient) {
      faults.add("topic " + topic + " must have " + partitions + " partitions, but has "
          + found.partitions().size());
    }
    Config actual = config(topic);
    needed.forEach((name, value) -> {
      String has = actual.get(name).value();
      if (!enough(name, value, has)) {
        faults.add("topic " + topic + " must have " + name + "=" + value + ", but has " + name + "="
            + has);
      }
    });
  }

  private static boolean enough(String name, String needed, String has) {
    if (AT_LEAST.contains(name)) {
      return Long.parseLong(has) >= Long.parseLong(needed);
    }
    return needed.equals(has);
  }

  private TopicDescription appeared(String topic) {
    TopicDescription found = find(topic, SECONDS);
    if (found == null) {
      throw new StartFailure(
          ExitCode.TOPIC,
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

  private static void pause() {
    try {
      Thread.sleep(50);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new StartFailure(ExitCode.UNEXPECTED, "interrupted while waiting for a topic", stop);
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
   * Asks about a topic that is there, again and again while the broker that answers has not heard of it: another
   * instance may have made it a moment ago.
   */
  <T> T patiently(Supplier<KafkaFuture<T>> question, String what) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    while (true) {
      try {
        return await(question.get(), what);
      } catch (UnknownTopicOrPartitionException unknown) {
        if (System.nanoTime() - deadline > 0) {
          throw new StartFailure(
              ExitCode.TOPIC,
              "could not " + what + " on " + bootstrapServers
                  + ": a broker does not know the topic, " + SECONDS
                  + " s after another did; try again",
              unknown);
        }
        pause();
      }
    }
  }

  private TopicDescription describe(String topic) {
    try {
      return await(admin.describeTopics(List.of(topic)).allTopicNames(), "describe topic " + topic)
          .get(topic);
    } catch (UnknownTopicOrPartitionException missing) {
      return null;
    }
  }

  /** Waits for an answer of the cluster, and turns what goes wrong into a message with an exit code. */
  <T> T await(KafkaFuture<T> future, String what) {
    try {
      return future.get(SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException failed) {
      throw explained(failed.getCause(), what);
    } catch (java.util.concurrent.TimeoutException late) {
      throw explained(late, what);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new StartFailure(ExitCode.UNEXPECTED, "interrupted while trying to " + what, stop);
    }
  }

  private RuntimeException explained(Throwable cause, String what) {
    if (cause instanceof UnknownTopicOrPartitionException
        || cause instanceof TopicExistsException) {
      return (RuntimeException) cause;
    }
    if (cause instanceof InvalidReplicationFactorException) {
      return new StartFailure(
          ExitCode.TOPIC,
          "could not " + what + " on " + bootstrapServers + ": " + cause.getMessage()
              + "; lower topics.replication.factor (now " + replication + "), or add brokers",
          cause);
    }
    if (cause instanceof AuthenticationException) {
      return new StartFailure(
          ExitCode.FORBIDDEN,
          "not allowed to " + what + " on " + bootstrapServers + ": " + cause.getMessage()
              + "; check the user, the password and the other security settings",
          cause);
    }
    if (cause instanceof AuthorizationException) {
      return new StartFailure(
          ExitCode.FORBIDDEN,
          "not allowed to " + what + " on " + bootstrapServers + ": " + cause.getMessage()
              + "; ask for the permission, or have the topic created beforehand",
          cause);
    }
    if (cause instanceof TimeoutException
        || cause instanceof java.util.concurrent.TimeoutException) {
      return new StartFailure(
          ExitCode.UNREACHABLE,
          "no broker answered at " + bootstrapServers + " while trying to " + what
              + "; check bootstrap.servers, the network and the security settings",
          cause);
    }
    return new StartFailure(
        ExitCode.UNEXPECTED, "could not " + what + " on " + bootstrapServers + ": " + cause, cause);
  }
}
