package dev.sotto.topology.admin;

import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.CreatePartitionsOptions;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** What a cluster says of itself; nothing here changes anything. */
public final class ClusterInspector implements TopicFacts {
  private final Admin admin;
  private final AdminRequests requests;
  private final Map<String, Optional<TopicDescription>> topics = new HashMap<>();
  private final Map<ConfigResource, Config> configs = new HashMap<>();
  private List<Node> nodes;

  public ClusterInspector(Admin admin, String bootstrapServers) {
    this.admin = admin;
    this.requests = new AdminRequests(bootstrapServers);
  }

  public Admin admin() {
    return admin;
  }

  /**
   * The answer to a request.
   *
   * @param what is requested, for messages
   * @throws SottoException where the cluster does not answer, or refuses
   */
  public <T> T await(KafkaFuture<T> request, String what) {
    return requests.await(request, what);
  }

  public List<Node> nodes() {
    if (nodes == null) {
      nodes = List.copyOf(requests.await(admin.describeCluster().nodes(), "reach the cluster"));
    }
    return nodes;
  }

  /** A topic with what may be done with it; empty where there is none. */
  public Optional<TopicDescription> topic(String name) {
    return topics.computeIfAbsent(name, each -> {
      try {
        return Optional.of(requests
            .await(
                admin
                    .describeTopics(
                        List.of(name),
                        new DescribeTopicsOptions().includeAuthorizedOperations(true))
                    .allTopicNames(),
                "describe topic " + name)
            .get(name));
      } catch (UnknownTopicOrPartitionException missing) {
        return Optional.empty();
      }
    });
  }

  /** The same where we may see it; another check says so where we may not. */
  public Optional<TopicDescription> visible(String name) {
    try {
      return topic(name);
    } catch (SottoException failure) {
      if (failure.kind() == FailureKind.FORBIDDEN) {
        return Optional.empty();
      }
      throw failure;
    }
  }

  @Override
  public OptionalInt partitionsOf(String topic) {
    return topic(topic).stream().mapToInt(each -> each.partitions().size()).findFirst();
  }

  /** How many partitions a topic has; 0 where there is none. */
  public int partitions(String topic) {
    return partitionsOf(topic).orElse(0);
  }

  public List<TopicPartition> all(String topic) {
    return IntStream.range(0, partitions(topic))
        .mapToObj(each -> new TopicPartition(topic, each))
        .collect(Collectors.toList());
  }

  @Override
  public String topicSetting(String topic, String name) {
    return config(
            new ConfigResource(ConfigResource.Type.TOPIC, topic),
            "read the settings of topic " + topic)
        .get(name)
        .value();
  }

  /** A setting of the brokers, as the first of them has it; empty where we may not know. */
  public Optional<String> brokerSetting(String name) {
    return setting(ConfigResource.Type.BROKER, nodes().get(0).idString(), name);
  }

  /** A setting of a consumer group; empty where we may not know, or there is none. */
  public Optional<String> groupSetting(String group, String name) {
    return setting(ConfigResource.Type.GROUP, group, name);
  }

  public OptionalLong brokerNumber(String name) {
    return brokerSetting(name).stream().mapToLong(Long::parseLong).findFirst();
  }

  private Optional<String> setting(ConfigResource.Type type, String resource, String name) {
    try {
      ConfigEntry entry = config(
              new ConfigResource(type, resource), "read the settings of " + resource)
          .get(name);
      return Optional.ofNullable(entry).map(ConfigEntry::value);
    } catch (SottoException unknown) {
      return Optional.empty();
    }
  }

  private Config config(ConfigResource resource, String what) {
    return configs.computeIfAbsent(
        resource,
        each -> requests.await(admin.describeConfigs(List.of(each)).all(), what).get(each));
  }

  /** Asks whether a topic could be created, without creating it. */
  public void couldCreate(NewTopic topic) {
    requests.await(
        admin
            .createTopics(List.of(topic), new CreateTopicsOptions().validateOnly(true))
            .all(),
        "create topic " + topic.name());
  }

  /**
   * Whether a topic could be given a number of partitions; it is not.
   *
   * @throws SottoException where it could not
   */
  public void couldGrow(String topic, int partitions) {
    requests.await(
        admin
            .createPartitions(
                Map.of(topic, NewPartitions.increaseTo(partitions)),
                new CreatePartitionsOptions().validateOnly(true))
            .all(),
        "give topic " + topic + " " + partitions + " partitions");
  }

  /**
   * The committed offsets of a group, once no transaction holds any back; empty where it is
   * unknown.
   */
  public Map<TopicPartition, OffsetAndMetadata> committed(String group) {
    Map<TopicPartition, OffsetAndMetadata> known = new HashMap<>();
    requests
        .await(
            admin
                .listConsumerGroupOffsets(
                    Map.of(group, new ListConsumerGroupOffsetsSpec()),
                    new ListConsumerGroupOffsetsOptions().requireStable(true))
                .partitionsToOffsetAndMetadata(group),
            "read the committed offsets of group " + group)
        .forEach((partition, offset) -> {
          if (offset != null) {
            known.put(partition, offset);
          }
        });
    return known;
  }

  /** The first offsets that are still held. */
  public Map<TopicPartition, Long> beginnings(Collection<TopicPartition> partitions) {
    return numbers(offsets(partitions, each -> OffsetSpec.earliest()));
  }

  /** Up to which offsets a reader of committed records can read. */
  public Map<TopicPartition, Long> committedEnds(Collection<TopicPartition> partitions) {
    return numbers(offsets(
        partitions,
        each -> OffsetSpec.latest(),
        new ListOffsetsOptions(IsolationLevel.READ_COMMITTED)));
  }

  private static Map<TopicPartition, Long> numbers(
      Map<TopicPartition, ListOffsetsResultInfo> offsets) {
    return offsets.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, each -> each.getValue().offset()));
  }

  /**
   * How fast each partition of a topic has grown over the last stretch before its newest record;
   * in order of the partitions, empty where that is not known.
   */
  public List<Optional<AppendRate>> appendRates(String topic, Duration stretch) {
    List<TopicPartition> partitions = all(topic);
    Map<TopicPartition, ListOffsetsResultInfo> newest =
        offsets(partitions, each -> OffsetSpec.maxTimestamp());
    Map<TopicPartition, ListOffsetsResultInfo> ends =
        offsets(partitions, each -> OffsetSpec.latest());
    Map<TopicPartition, ListOffsetsResultInfo> first = offsets(
        partitions,
        each -> OffsetSpec.forTimestamp(
            Math.max(0, newest.get(each).timestamp() - stretch.toMillis())));
    return partitions.stream()
        .map(each -> AppendRate.of(
            first.get(each).offset() < 0
                ? 0
                : ends.get(each).offset() - first.get(each).offset(),
            Duration.ofMillis(newest.get(each).timestamp() - first.get(each).timestamp())))
        .toList();
  }

  private Map<TopicPartition, ListOffsetsResultInfo> offsets(
      Collection<TopicPartition> partitions, Function<TopicPartition, OffsetSpec> which) {
    return offsets(partitions, which, new ListOffsetsOptions());
  }

  private Map<TopicPartition, ListOffsetsResultInfo> offsets(
      Collection<TopicPartition> partitions,
      Function<TopicPartition, OffsetSpec> which,
      ListOffsetsOptions options) {
    return requests.await(
        admin
            .listOffsets(
                partitions.stream().collect(Collectors.toMap(each -> each, which)), options)
            .all(),
        "look up offsets of " + partitions);
  }
}
