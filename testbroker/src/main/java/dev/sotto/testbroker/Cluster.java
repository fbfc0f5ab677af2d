package dev.sotto.testbroker;

import dev.sotto.broker.EmbeddedBroker;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A running broker, as its clients see it; as an extension it is closed after a class. */
public final class Cluster implements AutoCloseable, AfterAllCallback {
  private final Map<String, String> clients;
  private final Admin admin;
  private final KafkaProducer<byte[], byte[]> producer;
  private final Runnable stop; // null where others go on with the broker

  public Cluster(String bootstrapServers, Runnable stop) {
    this(Map.of("bootstrap.servers", bootstrapServers), stop);
  }

  public Cluster(Map<String, String> clients, Runnable stop) {
    this.clients = clients;
    this.admin = Admin.create(Map.copyOf(clients));
    this.producer = producer(Map.of("max.request.size", 8 << 20, "linger.ms", 5));
    this.stop = stop;
  }

  /** The broker of this process. Closing it deletes all that was made there, and stops nothing. */
  public static Cluster shared() {
    return new Cluster(SharedBroker.get().bootstrapServers(), null);
  }

  /** A broker of one's own, for tests that stop it or configure it. */
  public static Cluster own() {
    EmbeddedBroker broker = EmbeddedBroker.start();
    return new Cluster(broker.bootstrapServers(), broker::close);
  }

  /** Where clients connect. */
  public String bootstrapServers() {
    return clients.get("bootstrap.servers");
  }

  public Map<String, String> clients() {
    return clients;
  }

  public Admin admin() {
    return admin;
  }

  public KafkaProducer<byte[], byte[]> producer(Map<String, Object> more) {
    Map<String, Object> config = new HashMap<>(more);
    config.putAll(clients);
    return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
  }

  public void createTopic(String name, int partitions, Map<String, String> config) {
    try {
      Topics.create(admin, new NewTopic(name, partitions, (short) 1).configs(config));
    } catch (ExecutionException | InterruptedException failed) {
      throw new AssertionError(failed);
    }
    Awaitility.await().until(() -> topics().contains(name));
  }

  /** Changes one setting of a topic. */
  public void alterTopic(String name, String setting, String value) {
    ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, name);
    AlterConfigOp change =
        new AlterConfigOp(new ConfigEntry(setting, value), AlterConfigOp.OpType.SET);
    get(admin.incrementalAlterConfigs(Map.of(topic, List.of(change))).all());
    Awaitility.await() // the controller has it; the broker hears of it a moment later
        .until(
            () -> get(admin.describeConfigs(List.of(topic)).all())
                .get(topic)
                .get(setting)
                .value(),
            value::equals);
  }

  public void createTopic(String name) {
    createTopic(name, 1, Map.of());
  }

  /** Deletes a topic, and waits until its name is free. */
  public void deleteTopic(String name) {
    get(admin.deleteTopics(List.of(name)).all().toCompletionStage().toCompletableFuture());
    Awaitility.await().until(() -> !topics().contains(name));
  }

  public Set<String> topics() {
    return get(admin.listTopics().names().toCompletionStage().toCompletableFuture());
  }

  /** How many partitions a topic has. */
  public int partitions(String topic) {
    var described = admin.describeTopics(List.of(topic)).allTopicNames();
    return get(described.toCompletionStage().toCompletableFuture())
        .get(topic)
        .partitions()
        .size();
  }

  /** What retention does: removes the records of a partition below an offset. */
  public void deleteRecords(String topic, int partition, long below) {
    var before = Map.of(new TopicPartition(topic, partition), RecordsToDelete.beforeOffset(below));
    get(admin.deleteRecords(before).all().toCompletionStage().toCompletableFuture());
  }

  /** Makes a topic have a number of partitions. */
  public void addPartitions(String topic, int count) {
    addPartitions(List.of(topic), count);
  }

  /** The same of several topics in one request. */
  public void addPartitions(List<String> names, int count) {
    Map<String, NewPartitions> more = new HashMap<>();
    names.forEach(each -> more.put(each, NewPartitions.increaseTo(count)));
    get(admin.createPartitions(more).all().toCompletionStage().toCompletableFuture());
    names.forEach(each -> Awaitility.await().until(() -> partitions(each) == count));
  }

  /** Waits until every transaction of a topic that has ended is seen to have ended. */
  public void awaitMarkers(String topic) {
    List<TopicPartition> all = IntStream.range(0, partitions(topic))
        .mapToObj(partition -> new TopicPartition(topic, partition))
        .toList();
    Awaitility.await()
        .until(() -> ends(all, IsolationLevel.READ_COMMITTED)
            .equals(ends(all, IsolationLevel.READ_UNCOMMITTED)));
  }

  private Map<TopicPartition, Long> ends(List<TopicPartition> all, IsolationLevel isolation) {
    Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
    all.forEach(each -> asked.put(each, OffsetSpec.latest()));
    Map<TopicPartition, Long> ends = new HashMap<>();
    get(admin.listOffsets(asked, new ListOffsetsOptions(isolation)).all())
        .forEach((partition, found) -> ends.put(partition, found.offset()));
    return ends;
  }

  /** Sends values to partition 0 without a transaction, so that their offsets follow each other. */
  public void send(String topic, List<byte[]> values) {
    send(topic, 0, values);
  }

  /** The same to another partition. */
  public void send(String topic, int partition, List<byte[]> values) {
    values.forEach(value ->
        producer.send(new ProducerRecord<>(topic, partition, null, value), (sent, failed) -> {
          if (failed != null) {
            throw new AssertionError(failed);
          }
        }));
    producer.flush();
  }

  public static <T> T get(Future<T> future) {
    try {
      return future.get(120, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException | InterruptedException failed) {
      throw new AssertionError(failed);
    }
  }

  @Override
  public void afterAll(ExtensionContext context) {
    close();
  }

  @Override
  public void close() {
    producer.close();
    if (stop == null) {
      clear();
    }
    admin.close();
    if (stop != null) {
      stop.run();
    }
  }

  /** Deletes all topics and groups, so that the next class may use their names. */
  private void clear() {
    get(admin.deleteTopics(topics()).all());
    for (GroupListing each : get(admin.listGroups().valid())) {
      Awaitility.await().until(() -> isDeleted(each.groupId()));
    }
    Awaitility.await().until(() -> topics().isEmpty());
  }

  /** A member that was stopped and has not left is one until its session ends. */
  private boolean isDeleted(String group) throws InterruptedException {
    try {
      admin.deleteConsumerGroups(List.of(group)).all().get();
      return true;
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof GroupIdNotFoundException) {
        return true;
      }
      var members = new RemoveMembersFromConsumerGroupOptions();
      admin.removeMembersFromConsumerGroup(group, members).all();
      return false;
    }
  }
}
