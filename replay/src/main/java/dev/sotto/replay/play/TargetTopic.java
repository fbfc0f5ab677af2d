package dev.sotto.replay.play;

import dev.sotto.topology.admin.AdminRequests;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** The topic that is played into: found or created, and checked before anything is sent. */
final class TargetTopic {
  private static final long SECONDS = 20;
  private static final String FOREVER = Long.toString(Long.MAX_VALUE);

  /**
   * Recorded times are kept, however old or new. Nothing is deleted for its age, which would go by
   * those times, and no segment is closed for the time that its records span.
   */
  private static final Map<String, String> RECORDED_TIMES = Map.of(
      "message.timestamp.type", "CreateTime",
      "message.timestamp.before.max.ms", FOREVER,
      "message.timestamp.after.max.ms", FOREVER,
      "retention.ms", "-1",
      "segment.ms", FOREVER);

  private static final Map<String, String> ARRIVAL_TIMES =
      Map.of("message.timestamp.type", "LogAppendTime");

  private final Admin admin;
  private final AdminRequests answers;
  private final PlaySettings settings;

  TargetTopic(Admin admin, PlaySettings settings) {
    this.admin = admin;
    this.answers = new AdminRequests(settings.servers());
    this.settings = settings;
  }

  /**
   * Finds the topic or creates it, and checks that it will take every record as it is.
   *
   * @param now in milliseconds since 1970
   * @throws SottoException with everything that is wrong with it
   */
  TopicDescription prepare(RecordingSummary summary, long now) {
    Optional<TopicDescription> found = find();
    if (found.isEmpty() && !settings.start().create()) {
      throw new SottoException(
          FailureKind.TOPIC,
          "topic " + settings.topic() + " does not exist on " + settings.servers()
              + "; create it with at least " + summary.partitions()
              + " partitions, or let this command do it: --create");
    }
    TopicDescription topic = found.orElseGet(() -> create(summary.partitions()));
    requireAllowed(topic);
    List<String> faults =
        TargetRules.faults(settings, topic.partitions().size(), config(), summary, now);
    if (!faults.isEmpty()) {
      throw new SottoException(FailureKind.TOPIC, String.join(System.lineSeparator(), faults));
    }
    return topic;
  }

  /** Committing the progress takes Read, as committing offsets always does. */
  private void requireAllowed(TopicDescription topic) {
    if (topic.authorizedOperations() == null) {
      return; // the broker does not say
    }
    Set<AclOperation> lacking = EnumSet.of(AclOperation.READ, AclOperation.WRITE);
    lacking.removeAll(topic.authorizedOperations());
    if (!lacking.isEmpty()) {
      throw new SottoException(
          FailureKind.FORBIDDEN,
          "not allowed to play into topic " + settings.topic() + "; ask for the permission: "
              + lacking.stream()
                  .map(each -> each == AclOperation.READ ? "Read" : "Write")
                  .collect(Collectors.joining(", "))
              + " on the topic (Write for the records, Read for committing how many there are)");
    }
  }

  private Optional<TopicDescription> find() {
    String topic = settings.topic();
    try {
      return Optional.of(answers
          .await(
              admin
                  .describeTopics(
                      List.of(topic), new DescribeTopicsOptions().includeAuthorizedOperations(true))
                  .allTopicNames(),
              "describe topic " + topic)
          .get(topic));
    } catch (UnknownTopicOrPartitionException missing) {
      return Optional.empty();
    }
  }

  private TopicDescription create(int partitions) {
    String topic = settings.topic();
    NewTopic fresh = new NewTopic(topic, Optional.of(partitions), Optional.empty())
        .configs(settings.arrivalTimes() ? ARRIVAL_TIMES : RECORDED_TIMES);
    try {
      answers.await(admin.createTopics(List.of(fresh)).all(), "create topic " + topic);
    } catch (TopicExistsException raced) {
      // Somebody else has made it; it is checked like any other.
    }
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    Optional<TopicDescription> found = find();
    while (found.isEmpty() && System.nanoTime() - deadline < 0) {
      AdminRequests.pause(50);
      found = find();
    }
    return found.orElseThrow(() -> new SottoException(
        FailureKind.TOPIC,
        "topic " + topic + " was created on " + settings.servers() + ", but did not appear within "
            + SECONDS + " s; try again"));
  }

  private Map<String, String> config() {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, settings.topic());
    Map<String, String> found = new HashMap<>();
    answers
        .await(
            admin.describeConfigs(List.of(resource)).all(),
            "read the settings of topic " + settings.topic())
        .get(resource)
        .entries()
        .forEach(each -> found.put(each.name(), each.value()));
    return found;
  }

  /** Whether the topic holds anything, aborted records included. */
  boolean isUsed(TopicDescription topic) {
    List<TopicPartition> all = IntStream.range(0, topic.partitions().size())
        .mapToObj(each -> new TopicPartition(settings.topic(), each))
        .toList();
    return !offsets(all, OffsetSpec.earliest()).equals(offsets(all, OffsetSpec.latest()));
  }

  private Map<TopicPartition, Long> offsets(List<TopicPartition> partitions, OffsetSpec where) {
    Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
    partitions.forEach(each -> asked.put(each, where));
    Map<TopicPartition, Long> found = new HashMap<>();
    answers
        .await(admin.listOffsets(asked).all(), "look up the offsets of topic " + settings.topic())
        .forEach((partition, info) -> found.put(partition, info.offset()));
    return found;
  }
}
