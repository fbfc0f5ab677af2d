package dev.sotto.replay.recorder;

import dev.sotto.replay.recording.Integrity;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.RecordingOrigin;
import dev.sotto.replay.recording.container.Container;
import dev.sotto.replay.recording.container.ContainerSpec;
import dev.sotto.replay.recording.container.ContainerWriter;
import dev.sotto.topology.admin.AdminClients;
import dev.sotto.topology.admin.AdminRequests;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.read.PartitionReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Records a topic: its committed records between two offsets of each partition, up to the last
 * stable offset when recording begins. Offsets without a record (aborted, compacted away, or
 * markers of transactions) leave none.
 */
public final class TopicRecorder {
  private final Map<String, String> clients;
  private final AdminRequests answers;

  /** A recorder with these Kafka client settings, {@code bootstrap.servers} among them. */
  public TopicRecorder(Map<String, String> clients) {
    this.clients = Map.copyOf(clients);
    this.answers = new AdminRequests(clients.get("bootstrap.servers"));
  }

  /** A topic as it was found. */
  private record FoundTopic(String clusterId, TopicDescription topic) {}

  /**
   * Records a topic, or continues a recording.
   *
   * @throws SottoException where the topic cannot be read as asked, or the file cannot be written
   *     or was begun otherwise; what is written stays, and the same call continues it
   */
  public RecordResult record(RecordRequest request, RecordTarget target, RecordProgress watch) {
    List<String> warnings = new ArrayList<>();
    FoundTopic found;
    try (Admin admin = AdminClients.of(clients)) {
      found = find(admin, request.topic());
      compaction(admin, request.topic(), warnings);
    }
    try (PartitionReader reader = new PartitionReader(clients, PartitionReader.COMMITTED)) {
      RangeResolver ranges = new RangeResolver(reader, request, warnings);
      ContainerSpec spec = new ContainerSpec(
          new RecordingOrigin(
              found.clusterId(), request.topic(), found.topic().topicId().toString()),
          request.toString(),
          () -> ranges.of(found.topic().partitions().size()),
          target.schema(),
          target.compression(),
          target.encryption());
      try (ContainerWriter writer = ContainerWriter.open(target.file(), spec)) {
        copy(reader, request.topic(), writer, watch);
        writer.complete();
        return recorded(target, writer, warnings);
      }
    }
  }

  /** The result, with the header as it is read. */
  static RecordResult recorded(RecordTarget target, ContainerWriter writer, List<String> warnings) {
    try (Container container =
        Container.open(target.file(), target.encryption(), Integrity.DIGEST)) {
      return new RecordResult(
          container.header(), writer.written(), writer.resumed(), container.bytes(), warnings);
    }
  }

  private FoundTopic find(Admin admin, String topic) {
    String clusterId = answers.await(admin.describeCluster().clusterId(), "reach the cluster");
    try {
      return new FoundTopic(
          clusterId,
          answers
              .await(
                  admin.describeTopics(List.of(topic)).allTopicNames(), "describe topic " + topic)
              .get(topic));
    } catch (UnknownTopicOrPartitionException missing) {
      throw new SottoException(
          FailureKind.TOPIC,
          "topic " + topic + " does not exist on " + clients.get("bootstrap.servers")
              + "; check its name",
          missing);
    }
  }

  private void compaction(Admin admin, String topic, List<String> warnings) {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    try {
      String policy = answers
          .await(admin.describeConfigs(List.of(resource)).all(), "read the settings of " + topic)
          .get(resource)
          .get("cleanup.policy")
          .value();
      if (policy.contains("compact")) {
        warnings.add("topic " + topic + " is compacted (cleanup.policy=" + policy
            + "): the recording holds what was left of it, and another one later may hold less");
      }
    } catch (SottoException notTold) {
      if (notTold.kind() != FailureKind.FORBIDDEN) {
        throw notTold;
      }
      warnings.add("whether topic " + topic
          + " is compacted could not be seen: DescribeConfigs is not allowed");
    }
  }

  private static void copy(
      PartitionReader reader, String topic, ContainerWriter writer, RecordProgress watch) {
    long most =
        writer.ranges().stream().mapToLong(each -> each.to() - each.from()).sum();
    long before = 0;
    for (RecordedRange range : writer.ranges()) {
      if (!writer.isFinished(range.partition())) {
        TopicPartition where = new TopicPartition(topic, range.partition());
        long next = writer.next();
        long beginning = reader.beginning(where);
        if (next < range.to() && next < beginning) {
          throw RangeResolver.gone(where, next, beginning);
        }
        long passed = before - range.from();
        reader.read(where, next, range.to(), record -> {
          append(writer, record);
          watch.at(passed + record.offset() + 1, most);
          return true;
        });
        writer.finish();
      }
      before += range.to() - range.from();
      watch.at(before, most);
    }
  }

  private static void append(ContainerWriter writer, ConsumerRecord<byte[], byte[]> record) {
    writer.append(
        record.partition(),
        record.offset(),
        record.timestamp(),
        record.key(),
        record.value(),
        record.headers().toArray());
  }
}
