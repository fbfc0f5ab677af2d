package dev.sotto.connectors;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.testbroker.Clients;
import dev.sotto.testbroker.Cluster;
import dev.sotto.testbroker.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

class ConnectorsIT {
  private static final String SOURCE = "dev.sotto.connectors.stream.RecordedStreamSource";
  private static final String SINK = "dev.sotto.connectors.model.ModelFileSink";
  private static Cluster broker;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS) // the worker's log is in it
  private Path folder;

  @BeforeAll
  static void start() {
    broker = Cluster.shared();
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  @Test
  void playsAFileOverARestartOfTheWorkerWithoutGapOrRepeat() throws Exception {
    createTopic("played");
    List<String> lines = lines(12_000);
    Path file = Files.write(folder.resolve("stream.jsonl"), lines);
    try (ConnectWorker worker = new ConnectWorker(broker.bootstrapServers(), offsets())) {
      worker.put("recorded", settings(file, "played", "200", "stop.at.end", "true"));
      await(() -> committed("played").size() >= 1000);
    }
    assertThat(committed("played").size()).as("stopped in the middle").isLessThan(lines.size());
    try (ConnectWorker worker = new ConnectWorker(broker.bootstrapServers(), offsets())) {
      worker.put("recorded", settings(file, "played", "0", "stop.at.end", "true"));
      await(() -> committed("played").size() >= lines.size());
      await(() -> worker.tasks("recorded") == 0);
      requireSame(committed("played"), lines);
      worker.replayFrom("recorded", lines.size() - 3);
      await(() -> committed("played").size() >= lines.size() + 3);
    }
    assertThat(committed("played").subList(lines.size(), lines.size() + 3))
        .extracting(each -> new String(each.value(), UTF_8))
        .isEqualTo(lines.subList(lines.size() - 3, lines.size()));
  }

  @Tag("long")
  @Test
  void playsAFileExactlyOnceThoughTheWorkerIsKilled() throws Exception {
    createTopic("killed");
    List<String> lines = lines(20_000);
    Path file = Files.write(folder.resolve("stream.jsonl"), lines);
    try (WorkerProcess worker = new WorkerProcess(folder, broker.bootstrapServers())) {
      worker.put(
          "recorded", json(settings(file, "killed", "200", "exactly.once.support", "required")));
      await(() -> committed("killed", worker) >= 1500);
      worker.kill();
    }
    assertThat(committed("killed").size()).as("killed in the middle").isLessThan(lines.size());
    try (WorkerProcess again = new WorkerProcess(folder, broker.bootstrapServers())) {
      again.put(
          "recorded", json(settings(file, "killed", "0", "exactly.once.support", "required")));
      await(() -> committed("killed", again) >= lines.size());
      again.kill(); // before the folder goes
    }
    requireSame(committed("killed"), lines);
  }

  private static int committed(String topic, WorkerProcess worker) throws InterruptedException {
    worker.restartFailed("recorded");
    return committed(topic).size();
  }

  private static Map<String, String> settings(
      Path file, String topic, String linesPerSecond, String key, String value) {
    return Map.of(
        "connector.class",
        SOURCE,
        "files",
        file.toString(),
        "topic",
        topic,
        "key.field",
        "user.id",
        "batch.lines",
        "50",
        "lines.per.second",
        linesPerSecond,
        key,
        value);
  }

  private static String json(Map<String, String> settings) throws IOException {
    return new ObjectMapper().writeValueAsString(settings);
  }

  @Test
  void keepsTheNewestCommittedModelInAFile() throws Exception {
    createTopic("snapshots");
    double[] weights = {0.5, -1e-300, 3};
    try (var producer = producer("learner")) {
      SmallModel.publish(producer, "snapshots", 1, new double[] {1, 2, 3});
      producer.commitTransaction();
      SmallModel.publish(producer, "snapshots", 2, weights);
      producer.commitTransaction();
      SmallModel.publish(producer, "snapshots", 3, new double[] {7, 8, 9});
      producer.flush();
      producer.abortTransaction(); // which was never published, though it is in the log
      SmallModel.publish(producer, "snapshots", "behind", 1, new double[] {4, 5, 6});
      producer.commitTransaction();
    }
    Map<String, String> settings =
        Map.of("connector.class", SINK, "topics", "snapshots", "directory", folder + "/m");
    try (ConnectWorker worker = new ConnectWorker(broker.bootstrapServers(), offsets())) {
      assertThatThrownBy(() -> worker.put("models", settings))
          .hasMessageContaining("consumer.override.isolation.level must be read_committed");
      Map<String, String> committed = new HashMap<>(settings);
      committed.put("consumer.override.isolation.level", "read_committed");
      worker.put("models", committed);
      Path json = folder.resolve("m").resolve("user%2F7.json");
      await(() -> version(folder.resolve("m").resolve("behind.json")) == 1);
      JsonNode model = new ObjectMapper().readTree(json.toFile());
      assertThat(model.get("version").asLong()).isEqualTo(2);
      assertThat(model.get("digest").asText())
          .isEqualTo(HexFormat.of().formatHex(ModelSnapshot.digest(weights, SmallModel.GUARANTEE)));
      assertThat(
              IntStream.range(0, 3).mapToDouble(i -> model.get("weights").get(i).asDouble()))
          .containsExactly(0.5, -1e-300, 3.0);
    }
  }

  @Test
  void givesAnySinkCommittedVersionsAsRows() throws Exception {
    createTopic("rows");
    try (var producer = producer("rows")) {
      SmallModel.publish(producer, "rows", 1, new double[] {1, 2});
      producer.commitTransaction();
      SmallModel.publish(producer, "rows", 2, new double[] {3, 4});
      producer.flush();
      producer.abortTransaction();
      SmallModel.publish(producer, "rows", 3, new double[] {5, 6});
      producer.commitTransaction();
    }
    Path file = folder.resolve("rows.txt");
    Map<String, String> settings = new HashMap<>(Map.of(
        "connector.class", LinesSink.class.getName(),
        "topics", "rows",
        "file", file.toString(),
        "consumer.override.isolation.level", "read_committed",
        "value.converter", "dev.sotto.connectors.record.PublishedRecordConverter",
        "transforms", "version",
        "transforms.version.type", "dev.sotto.connectors.record.PublishedVersionKey"));
    try (ConnectWorker worker = new ConnectWorker(broker.bootstrapServers(), offsets())) {
      assertThatThrownBy(() -> worker.put("rows", settings))
          .hasMessageContaining("consumer.isolation.level");
      settings.put("value.converter.consumer.isolation.level", "read_committed");
      worker.put("rows", settings);
      await(() -> Files.exists(file) && Files.readAllLines(file).size() >= 2);
    }
    assertThat(Files.readAllLines(file))
        .as("neither weights nor what was aborted")
        .satisfiesExactly(
            first -> assertThat(first).contains("model_id=user/7", ",version=1,", "dimension=2"),
            third -> assertThat(third).contains("model_id=user/7", ",version=3,", "dimension=2"));
  }

  private static long version(Path json) throws IOException {
    return Files.exists(json)
        ? new ObjectMapper().readTree(json.toFile()).get("version").asLong()
        : 0;
  }

  private static KafkaProducer<byte[], byte[]> producer(String id) {
    var producer = new KafkaProducer<>(
        Clients.settings(broker.bootstrapServers(), Map.of("transactional.id", id)),
        new ByteArraySerializer(),
        new ByteArraySerializer());
    producer.initTransactions();
    return producer;
  }

  /** JSON of many lengths, some of it poison. */
  private static List<String> lines(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> i % 1000 == 7
            ? "poison " + i
            : "{\"i\":" + i + ",\"user\":{\"id\":\"u" + i % 97 + "\"},\"x\":\""
                + "\u00e9".repeat(i % 89) + "\"}")
        .toList();
  }

  private static void requireSame(
      List<ConsumerRecord<byte[], byte[]>> records, List<String> lines) {
    assertThat(records).hasSize(lines.size());
    for (int i = 0; i < lines.size(); i++) {
      assertThat(new String(records.get(i).value(), UTF_8)).isEqualTo(lines.get(i));
      byte[] key = i % 1000 == 7 ? null : ("u" + i % 97).getBytes(UTF_8);
      assertThat(records.get(i).key()).isEqualTo(key);
    }
  }

  private String offsets() {
    return folder.resolve("offsets").toString();
  }

  private static void createTopic(String topic) throws Exception {
    try (Admin admin = Admin.create(Clients.settings(broker.bootstrapServers(), Map.of()))) {
      Topics.create(admin, new NewTopic(topic, 1, (short) 1));
    }
  }

  /** Patient, for machines with much else to do. */
  private static void await(Callable<Boolean> condition) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(120))
        .pollInterval(Duration.ofMillis(200))
        .until(condition);
  }

  private static List<ConsumerRecord<byte[], byte[]>> committed(String topic) {
    Map<String, Object> reading = Map.of("isolation.level", "read_committed");
    try (var consumer = new KafkaConsumer<>(
        Clients.settings(broker.bootstrapServers(), reading),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer())) {
      var partition = new TopicPartition(topic, 0);
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long end = consumer.endOffsets(List.of(partition)).get(partition);
      List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
      while (consumer.position(partition) < end) {
        consumer.poll(Duration.ofMillis(200)).forEach(all::add);
      }
      return all;
    }
  }
}
