package dev.sotto.topology.admin;

import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The partitions of the topics between a join of events with labels and the learner, where those of
 * the users get more. Streams has as many tasks for the join, and does not add to their changelog.
 */
public final class JoinPartitions {
  private static final Logger LOG = LoggerFactory.getLogger(JoinPartitions.class);
  private static final long SECONDS = 20;

  private final Admin admin;
  private final TopicSetup topics;

  JoinPartitions(Admin admin, TopicSetup topics) {
    this.admin = admin;
    this.topics = topics;
  }

  /**
   * Whether a topic is given more partitions at a start. In layouts other than ordered, whose
   * sequence has one partition whatever the events have, that would not be enough: there the start
   * is refused.
   */
  public static boolean grows(LearnerSettings settings, String topic) {
    return topics(settings).contains(topic);
  }

  private static List<String> topics(LearnerSettings settings) {
    return settings.labels().isPresent() && settings.layout().keepsOrder()
        ? List.of(Names.labelled(settings.app()), Names.changelog(settings.app(), Names.JOINS))
        : List.of();
  }

  /** Gives them as many as the users' topics have. */
  void grow(LearnerSettings settings, int partitions) {
    for (String topic : topics(settings)) {
      TopicDescription found = topics.describe(topic);
      if (found != null && found.partitions().size() < partitions) {
        grow(topic, found.partitions().size(), partitions);
      }
    }
  }

  private void grow(String topic, int has, int partitions) {
    SottoException refused = null;
    try {
      topics.await(
          admin
              .createPartitions(Map.of(topic, NewPartitions.increaseTo(partitions)))
              .all(),
          "give topic " + topic + " " + partitions + " partitions");
    } catch (SottoException failed) {
      refused = failed;
    }
    if (refused != null && refused.kind() == FailureKind.FORBIDDEN) {
      throw new SottoException(
          FailureKind.FORBIDDEN, refused.getMessage() + "; " + byHand(topic, partitions), refused);
    }
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(refused == null ? SECONDS : 2);
    while (topics.partitions(topic) < partitions) { // another instance may have been first
      if (System.nanoTime() - deadline > 0) {
        throw refused != null
            ? refused
            : new SottoException(
                FailureKind.TOPIC,
                "topic " + topic + " was given " + partitions + " partitions, but has not got them"
                    + " within " + SECONDS + " s; start again");
      }
      AdminRequests.pause(50);
    }
    LOG.info(
        "topic {} has {} partitions now instead of {}, as many as the events and their labels",
        topic,
        partitions,
        has);
  }

  /** What gives a topic more partitions where the learner may not. */
  public static String byHand(String topic, int partitions) {
    return "grant Alter on it, or kafka-topics.sh --alter --topic " + topic + " --partitions "
        + partitions;
  }

  /** What it means that the users' topics have other partitions than at the start. */
  public static String other(LearnerSettings settings, int had, int events, int labels) {
    return "the event topic " + settings.sourceTopic() + " had " + had
        + (had == 1 ? " partition" : " partitions") + " at the start, now it has " + events
        + ", and the topic of labels " + settings.labels().orElseThrow().topic() + " has " + labels
        + ". No record is lost: "
        + (events == labels
            ? "start again, which gives the learner's own topics as many"
            : StartChecks.asMany(settings, events, labels) + ", and start again")
        + " (docs/late-labels.md, More partitions)";
  }
}
