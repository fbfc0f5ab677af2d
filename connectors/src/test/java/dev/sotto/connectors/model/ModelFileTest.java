package dev.sotto.connectors.model;

import static dev.sotto.connectors.model.Snapshots.PARTITION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.onnx.proto.OnnxMl.ModelProto;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.learner.key.Sha256;
import dev.sotto.serdes.avro.PackedDoubles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelFileTest {
  private static final byte[] RUN = Snapshots.run(1);

  @TempDir
  private Path folder;

  private Map<String, String> properties;
  private ModelFileTask task;

  @BeforeEach
  void start() {
    properties = Map.of(
        "directory", folder.toString(), "consumer.override.isolation.level", "read_committed");
    task = startTask();
  }

  private ModelFileTask startTask() {
    ModelFileTask started = new ModelFileTask();
    started.start(properties);
    started.open(List.of(PARTITION));
    return started;
  }

  @Test
  void writesTheNewestVersionWithItsFacts() throws IOException {
    double[] weights = Snapshots.weights(5, 1);
    weights[1] = -0.0;
    weights[2] = Double.MIN_VALUE;
    task.put(new Snapshots()
        .version("a/b", RUN, 1, Snapshots.weights(5, 2))
        .version("a/b", RUN, 99, weights)
        .records());
    assertThat(files()).containsExactly("a%2Fb.json");
    JsonNode json = json("a%2Fb");
    assertThat(json.get("model").asText()).isEqualTo("a/b");
    assertThat(json.get("version").asLong()).isEqualTo(99);
    assertThat(json.get("last").asBoolean()).isTrue();
    assertThat(json.get("dimension").asInt()).isEqualTo(5);
    assertThat(json.get("rows").asInt()).isEqualTo(1);
    assertThat(json.get("tail").asInt()).isZero();
    assertThat(json.get("digest").asText())
        .isEqualTo(
            HexFormat.of().formatHex(Snapshots.manifest("a/b", RUN, 99, weights).digest()));
    assertThat(json.get("manifestAt").get("offset").asLong()).isEqualTo(3);
    JsonNode guarantee = json.get("guarantee");
    assertThat(guarantee.get("unit").asText()).isEqualTo("key");
    assertThat(guarantee.get("adjacency").asText()).isEqualTo("zero-out");
    assertThat(guarantee.get("mechanism").asText()).isEqualTo("tree");
    assertThat(guarantee.get("mu").asDouble()).isEqualTo(0.1 * 99);
    assertThat(guarantee.get("epsilon").asDouble()).isEqualTo(0.3);
    assertThat(guarantee.get("delta").asDouble()).isEqualTo(1e-6);
    assertThat(guarantee.get("muLimit").asText()).isEqualTo("Infinity");
    double[] found = StreamSupport.stream(json.get("weights").spliterator(), false)
        .mapToDouble(JsonNode::asDouble)
        .toArray();
    assertThat(PackedDoubles.pack(found)).isEqualTo(PackedDoubles.pack(weights));
  }

  @Test
  void writesManyWeightsBesideTheJson() throws IOException {
    double[] weights = Snapshots.weights(ModelFolder.MOST_IN_JSON + 1, 3);
    task.put(new Snapshots().version("big", RUN, 1, weights).records());
    assertThat(files()).containsExactly("big.json", "big.weights");
    byte[] bytes = Files.readAllBytes(folder.resolve("big.weights"));
    assertThat(PackedDoubles.unpack(bytes)).isEqualTo(weights);
    assertThat(json("big").get("weightsFile").asText()).isEqualTo("big.weights");
    assertThat(json("big").get("weightsSha256").asText())
        .isEqualTo(HexFormat.of().formatHex(Sha256.sha256(bytes)));
    assertThat(json("big").has("weights")).isFalse();
    task.put(new Snapshots()
        .version("big", RUN, 2, Snapshots.weights(ModelFolder.MOST_IN_JSON, 4))
        .records());
    assertThat(files()).containsExactly("big.json");
    assertThat(json("big").get("weights")).hasSize(ModelFolder.MOST_IN_JSON);
  }

  private ModelFileTask withOnnx() {
    properties = new TreeMap<>(properties);
    properties.put("onnx", "true");
    return startTask();
  }

  /** The same bytes again after a restart, and none of a version that the JSON does not have. */
  @Test
  void writesAFileOfOnnxBesideTheJson() throws IOException {
    ModelFileTask onnx = withOnnx();
    double[] weights = Snapshots.weights(5, 1);
    List<SinkRecord> records = new Snapshots().version("m", RUN, 7, weights).records();
    onnx.put(records);
    assertThat(files()).containsExactly("m.json", "m.onnx");
    byte[] bytes = Files.readAllBytes(folder.resolve("m.onnx"));
    assertThat(json("m").get("onnxFile").asText()).isEqualTo("m.onnx");
    assertThat(json("m").get("onnxSha256").asText())
        .isEqualTo(HexFormat.of().formatHex(Sha256.sha256(bytes)));
    ModelProto file = ModelProto.parseFrom(bytes);
    assertThat(file.getModelVersion()).isEqualTo(7);
    assertThat(file.getMetadataPropsList())
        .extracting(each -> each.getKey())
        .contains("sotto.guarantee.epsilon", "sotto.model");
    Files.delete(folder.resolve("m.json")); // as if it had been killed before the JSON
    withOnnx().put(records);
    assertThat(files()).containsExactly("m.json", "m.onnx");
    assertThat(Files.readAllBytes(folder.resolve("m.onnx"))).isEqualTo(bytes);
    onnx.put(new Snapshots().version("m", RUN, 8, Snapshots.weights(5, 2)).records());
    assertThat(Files.readAllBytes(folder.resolve("m.onnx"))).isNotEqualTo(bytes);
    properties.put("onnx", "false");
    startTask()
        .put(new Snapshots().version("m", RUN, 9, Snapshots.weights(5, 3)).records());
    assertThat(files()).containsExactly("m.json");
  }

  @Test
  void refusesByNameWhatOnnxCannotHold() {
    Snapshots snapshots = new Snapshots();
    snapshots.loss = "own: tilted";
    List<SinkRecord> records =
        snapshots.version("m", RUN, 3, Snapshots.weights(5, 1)).records();
    assertThatThrownBy(() -> withOnnx().put(records))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("onnx must be false")
        .hasMessageContaining("version 3 of model m with loss own: tilted");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void passesOverAVersionThatDoesNotVerify() throws IOException {
    List<SinkRecord> records = new Snapshots()
        .version("m", RUN, 1, Snapshots.weights(70_000, 1))
        .version("m", RUN, 2, Snapshots.weights(70_000, 2))
        .records();
    task.put(records.subList(0, 3));
    task.put(records.subList(4, 6)); // as if compaction had taken the first chunk of version 2
    assertThat(json("m").get("version").asLong()).isEqualTo(1);
  }

  @Test
  void passesOverAVersionWhoseWeightsAreNotThoseOfItsDigest() throws IOException {
    double[] weights = Snapshots.weights(3, 1);
    task.put(new Snapshots().version("m", RUN, 1, weights).records());
    List<SinkRecord> real = new Snapshots().version("m", RUN, 2, weights).records();
    weights[2] = Math.nextUp(weights[2]);
    List<SinkRecord> forged = new Snapshots().version("m", RUN, 2, weights).records();
    task.put(List.of(forged.get(0), real.get(1)));
    assertThat(json("m").get("version").asLong()).isEqualTo(1);
    task.put(real);
    assertThat(json("m").get("version").asLong()).isEqualTo(2);
  }

  @Test
  void neverGoesBackWithinARunButTakesANewOne() throws IOException {
    Snapshots history = new Snapshots()
        .version("m", RUN, 1, Snapshots.weights(3, 1))
        .version("m", RUN, 2, Snapshots.weights(3, 2));
    task.put(history.records());
    ModelFileTask again = startTask();
    again.put(history.records().subList(0, 2));
    assertThat(json("m").get("version").asLong()).as("a rewound consumer").isEqualTo(2);
    again.put(new Snapshots()
        .version("m", Snapshots.run(2), 1, Snapshots.weights(3, 3))
        .records());
    assertThat(json("m").get("version").asLong()).isEqualTo(1);
    assertThat(json("m").get("run").asText()).startsWith("02");
  }

  @Test
  void commitsUpToTheFirstChunkThatStillWaits() throws IOException {
    List<SinkRecord> records = new Snapshots()
        .version("a", RUN, 1, Snapshots.weights(3, 1))
        .version("b", RUN, 1, Snapshots.weights(70_000, 2))
        .records();
    task.put(records.subList(0, 2));
    assertThat(safe(2)).isEqualTo(2);
    task.put(records.subList(2, 4));
    assertThat(safe(4)).isEqualTo(2);
    ModelFileTask again = startTask(); // has lost what was in memory, and begins at 2
    again.put(records.subList(2, 5));
    assertThat(json("b").get("version").asLong()).isEqualTo(1);
    task.put(records.subList(4, 5));
    assertThat(safe(5)).isEqualTo(5);
  }

  private long safe(long consumed) {
    return task.preCommit(Map.of(PARTITION, new OffsetAndMetadata(consumed)))
        .get(PARTITION)
        .offset();
  }

  @Test
  void leavesForeignFilesAlone() throws IOException {
    List<SinkRecord> records =
        new Snapshots().version("m", RUN, 1, Snapshots.weights(3, 1)).records();
    Files.writeString(folder.resolve("m.json"), "{\"model\":\"M\"}");
    assertThatThrownBy(() -> task.put(records))
        .isInstanceOf(ConnectException.class)
        .hasMessage(folder.resolve("m.json") + " must be a file of model m, but was one of M");
    Files.writeString(folder.resolve("m.json"), "notes");
    assertThatThrownBy(() -> task.put(records)).hasMessageContaining("but was no JSON");
    assertThat(folder.resolve("m.json")).hasContent("notes");
  }

  @Test
  void stopsAtWhatIsNoPartOfAModel() {
    assertThatThrownBy(() ->
            task.put(new Snapshots().add("m/0", new byte[] {1, 2}).records()))
        .isInstanceOf(ConnectException.class)
        .hasMessageStartingWith(
            "every record of sotto.snapshots-0 must be part of a model version, but offset 0");
    assertThatThrownBy(() ->
            task.put(new Snapshots().add(null, new byte[] {1, 2}).records()))
        .as("an event without a key")
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("must be part of a model version, but offset 0");
    assertThatThrownBy(() -> task.put(new Snapshots().add("m/0", "text").records()))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("it made a java.lang.String");
    task.put(new Snapshots().add("m/0", null).records()); // what compaction leaves is none of that
  }

  @Test
  void refusesToReadWhatIsNotCommitted() {
    refuses(Map.of("directory", "d"), "but was null");
    refuses(
        Map.of("directory", "d", "consumer.override.isolation.level", "read_uncommitted"),
        "but was read_uncomm");
    refuses(
        Map.of(
            "directory",
            "d",
            "worker.reads.committed",
            "true",
            "consumer.override.isolation.level",
            "read_uncommitted"),
        "but was read_uncomm");
    for (Map<String, String> good :
        List.of(properties, Map.of("directory", "d", "worker.reads.committed", "true"))) {
      ModelFileSink sink = new ModelFileSink();
      assertThat(sink.validate(good).configValues())
          .allMatch(each -> each.errorMessages().isEmpty());
      sink.start(good);
      assertThat(sink.taskConfigs(2)).containsExactly(good, good);
    }
  }

  private static void refuses(Map<String, String> properties, String value) {
    assertThat(new ModelFileSink().validate(properties).configValues())
        .filteredOn(each -> !each.errorMessages().isEmpty())
        .extracting(ConfigValue::name)
        .containsExactly("consumer.override.isolation.level");
    assertThatThrownBy(() -> new ModelFileSink().start(properties))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("must be read_committed")
        .hasMessageContaining(value);
    assertThatThrownBy(() -> new ModelFileTask().start(properties))
        .isInstanceOf(ConnectException.class);
  }

  private List<String> files() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.map(each -> each.getFileName().toString()).sorted().toList();
    }
  }

  private JsonNode json(String name) throws IOException {
    return new ObjectMapper().readTree(folder.resolve(name + ".json").toFile());
  }
}
