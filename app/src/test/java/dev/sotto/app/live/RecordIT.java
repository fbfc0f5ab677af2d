package dev.sotto.app.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.app.Main;
import dev.sotto.app.command.ExitCode;
import dev.sotto.replay.recorder.RangeBound;
import dev.sotto.replay.recorder.RecordRequest;
import dev.sotto.replay.recorder.RecordResult;
import dev.sotto.replay.recorder.RecordTarget;
import dev.sotto.replay.recorder.Recordings;
import dev.sotto.replay.recorder.TopicRecorder;
import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingOptions;
import dev.sotto.replay.recording.container.Compression;
import dev.sotto.testbroker.Cluster;
import dev.sotto.topology.encryption.Encryption;
import dev.sotto.topology.encryption.Keyset;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What is recorded is what was committed, byte for byte, whatever interrupts it. */
class RecordIT {
  private static final RangeBound EARLIEST = new RangeBound.Earliest();
  private static final RangeBound LATEST = new RangeBound.Latest();

  @RegisterExtension
  static Cluster cluster = Cluster.shared();

  @TempDir
  Path folder;

  private RecordTarget target(String name) {
    return new RecordTarget(folder.resolve(name), "", Compression.NULL, Encryption.none());
  }

  private static RecordRequest all(String topic) {
    return new RecordRequest(topic, EARLIEST, LATEST, Set.of());
  }

  private static RecordResult record(RecordRequest request, RecordTarget target) {
    return new TopicRecorder(cluster.clients()).record(request, target, (done, most) -> {});
  }

  /** Every record as text, in the order of partitions. */
  private static List<String> read(Path file, Encryption encryption) {
    List<String> read = new ArrayList<>();
    try (Recording recording =
        Recordings.open(file, RecordingOptions.defaults().with(encryption))) {
      for (RecordedRange range : recording.header().ranges()) {
        try (RecordCursor cursor = recording.open(range.partition())) {
          while (cursor.next()) {
            StringBuilder headers = new StringBuilder();
            cursor
                .headers()
                .forEach(each -> headers.append(each.key()).append('=').append(text(each.value())));
            read.add(range.partition() + "/" + cursor.offset() + " " + cursor.timestamp() + " "
                + text(cursor.key()) + " " + text(cursor.value()) + " " + headers);
          }
        }
      }
    }
    return read;
  }

  private static List<String> read(Path file) {
    return read(file, Encryption.none());
  }

  private static String text(byte[] bytes) {
    return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static ProducerRecord<byte[], byte[]> event(
      String topic, int partition, long time, String key, String value) {
    return new ProducerRecord<>(
        topic, partition, time, key == null ? null : utf8(key), value == null ? null : utf8(value));
  }

  private static void transaction(
      KafkaProducer<byte[], byte[]> producer,
      boolean commit,
      List<ProducerRecord<byte[], byte[]>> events) {
    producer.beginTransaction();
    events.forEach(producer::send);
    producer.flush();
    if (commit) {
      producer.commitTransaction();
    } else {
      producer.abortTransaction();
    }
  }

  @Test
  void recordsWhatIsCommittedAndNothingElse() {
    String topic = "transactions";
    cluster.createTopic(topic, 3, Map.of());
    try (var plain = cluster.producer(Map.of());
        var writer = cluster.producer(Map.of("transactional.id", "record-writer"))) {
      writer.initTransactions();
      ProducerRecord<byte[], byte[]> rich = event(topic, 0, 1000, null, "first");
      rich.headers().add("a", utf8("1")).add("a", null).add("ü", utf8("ö"));
      plain.send(rich); // 0
      plain.send(event(topic, 0, 500, "key", null)); // 1
      plain.flush();
      transaction(
          writer,
          false,
          List.of(event(topic, 0, 1, "no", "no"), event(topic, 2, 1, "no", "no"))); // 2, marker 3
      transaction(
          writer,
          true,
          List.of(
              event(topic, 0, 2000, "k", "yes"), event(topic, 2, 3000, "k", ""))); // 4, marker 5
      writer.beginTransaction();
      writer.send(event(topic, 0, 4000, "k", "open")); // 6: the last stable offset
      writer.flush();
      plain.send(event(topic, 0, 5000, "k", "behind it"));
      plain.flush();

      RecordResult recorded = record(all(topic), target("recording"));
      assertThat(recorded.header().ranges())
          .containsExactly(
              new RecordedRange(0, 0, 6, 3),
              new RecordedRange(1, 0, 0, 0),
              new RecordedRange(2, 0, 4, 1));
      assertThat(recorded.records()).isEqualTo(4);
      assertThat(recorded.warnings()).isEmpty();
      assertThat(recorded.header().clusterId())
          .isEqualTo(Cluster.get(cluster
              .admin()
              .describeCluster()
              .clusterId()
              .toCompletionStage()
              .toCompletableFuture()));
      assertThat(read(folder.resolve("recording")))
          .containsExactly(
              "0/0 1000 null first a=1a=nullü=ö",
              "0/1 500 key null ",
              "0/4 2000 k yes ",
              "2/2 3000 k  ");

      RecordResult cut = record(
          new RecordRequest(topic, EARLIEST, new RangeBound.Offset(100), Set.of(0)), target("cut"));
      assertThat(cut.header().ranges()).containsExactly(new RecordedRange(0, 0, 6, 3));
      assertThat(cut.warnings())
          .singleElement()
          .asString()
          .contains("recorded to offset 6 only, not to 100");
      writer.commitTransaction();
    }
  }

  /**
   * An hour of production in small: cut in the middle, gone on with while more comes and older
   * records go.
   */
  @Test
  void goesOnWhereItWasInterrupted() throws Exception {
    String topic = "interrupted";
    cluster.createTopic(topic, 2, Map.of());
    send(topic, 0, 3000);
    send(topic, 1, 3000);
    record(all(topic), target("whole"));
    List<String> whole = read(folder.resolve("whole"));
    assertThat(whole).hasSize(6000);

    RecordTarget target = target("recording");
    TopicRecorder recorder = new TopicRecorder(cluster.clients());
    for (long until : new long[] {2000, 4000, 5500}) {
      assertThatThrownBy(() -> recorder.record(all(topic), target, (done, most) -> {
            assertThat(most).isEqualTo(6000);
            if (done > until) {
              throw new IllegalStateException("pulled the plug");
            }
          }))
          .hasMessage("pulled the plug");
      byte[] begun = Files.readAllBytes(target.file());
      Files.write(target.file(), Arrays.copyOf(begun, begun.length - 100));
      send(topic, 0, 10); // what comes later was not asked for
    }
    assertThatThrownBy(() -> record(new RecordRequest(topic, EARLIEST, LATEST, Set.of(0)), target))
        .isInstanceOf(SottoException.class)
        .hasMessageContaining(
            "range earliest to latest, but now earliest to latest of partitions [0]");
    cluster.deleteRecords(topic, 0, 3000);
    cluster.deleteRecords(topic, 1, 100);
    RecordResult recorded = record(all(topic), target);
    assertThat(recorded.resumed()).isTrue();
    assertThat(recorded.written()).isBetween(400L, 2500L);
    assertThat(recorded.header().ranges())
        .containsExactly(new RecordedRange(0, 0, 3000, 3000), new RecordedRange(1, 0, 3000, 3000));
    assertThat(read(target.file())).isEqualTo(whole);
    assertThatThrownBy(() -> record(all(topic), target)).hasMessageContaining("is complete");
  }

  @Test
  void saysWhatRetentionHasTaken() throws Exception {
    String topic = "retained";
    cluster.createTopic(topic, 1, Map.of());
    send(topic, 0, 2000);
    RecordTarget target = target("recording");
    assertThatThrownBy(() -> new TopicRecorder(cluster.clients())
            .record(all(topic), target, (done, most) -> {
              if (done > 1500) {
                throw new IllegalStateException("pulled the plug");
              }
            }))
        .hasMessage("pulled the plug");
    cluster.deleteRecords(topic, 0, 1900);
    assertThatThrownBy(() -> record(all(topic), target))
        .isInstanceOf(SottoException.class)
        .hasMessageContaining("retained-0 begins at offset 1900, but should be recorded from ");
    assertThatThrownBy(() -> record(
            new RecordRequest(topic, new RangeBound.Offset(1899), LATEST, Set.of()),
            target("other")))
        .hasMessageContaining("begins at offset 1900, but should be recorded from 1899");
    assertThat(folder.resolve("other")).doesNotExist();
    cluster.deleteTopic(topic);
    cluster.createTopic(topic, 1, Map.of());
    assertThatThrownBy(() -> record(all(topic), target))
        .hasMessageContaining("was begun otherwise: topic id ");
    assertThatThrownBy(() -> record(all(topic), target("empty")))
        .hasMessageContaining("nothing was recorded: retained holds no committed record")
        .satisfies(
            each -> assertThat(((SottoException) each).kind()).isEqualTo(FailureKind.RECORDING));
  }

  @Test
  void recordsTheRangeThatIsAskedFor() throws Exception {
    String topic = "ranges";
    cluster.createTopic(topic, 2, Map.of("cleanup.policy", "compact"));
    try (var producer = cluster.producer(Map.of())) {
      for (int i = 0; i < 40; i++) {
        producer.send(event(topic, i % 2, 1_700_000_000_000L + i * 1000, "k" + i, "v" + i));
      }
    }
    RecordResult recorded = record(
        new RecordRequest(
            topic, RangeBound.of("0:3,1:15"), RangeBound.of("2023-11-14T22:13:50.500Z"), Set.of(0)),
        target("one"));
    assertThat(recorded.header().ranges()).containsExactly(new RecordedRange(0, 3, 16, 13));
    assertThat(recorded.warnings())
        .singleElement()
        .asString()
        .contains("is compacted (cleanup.policy=compact)");
    recorded = record(
        new RecordRequest(
            topic,
            RangeBound.of("2023-11-14T22:13:50.500Z"),
            RangeBound.of("2040-01-01T00:00:00Z"),
            Set.of()),
        target("two"));
    assertThat(recorded.header().ranges())
        .containsExactly(new RecordedRange(0, 16, 20, 4), new RecordedRange(1, 15, 20, 5));
    for (String[] wrong : new String[][] {
      {"0:3", "latest", "names no offset for partition 1"},
      {"0:3,1:1,7:1", "latest", "7:1 names another"},
      {"21", "latest", "ranges-0 ends at offset 20 (the last stable offset), but --from asks for 21"
      },
      {"7", "6", "ends before it begins: from 7 to 6"}
    }) {
      assertThatThrownBy(() -> record(
              new RecordRequest(topic, RangeBound.of(wrong[0]), RangeBound.of(wrong[1]), Set.of()),
              target("wrong")))
          .isInstanceOf(SottoException.class)
          .hasMessageContaining(wrong[2]);
      assertThat(folder.resolve("wrong")).doesNotExist();
    }
    assertThatThrownBy(
            () -> record(new RecordRequest(topic, EARLIEST, LATEST, Set.of(1, 2)), target("wrong")))
        .hasMessageContaining("has partitions 0 to 1, but [1, 2] were asked for");
    assertThatThrownBy(() -> record(all("nowhere"), target("wrong")))
        .hasMessageContaining("topic nowhere does not exist");
  }

  @Test
  void isACommand() throws Exception {
    String topic = "commanded";
    cluster.createTopic(topic);
    send(topic, 0, 50);
    Path key = folder.resolve("key");
    Keyset.create(key);
    Path schema = Files.writeString(folder.resolve("value.avsc"), "{ \"type\": \"string\" }");
    Path out = folder.resolve("recording");
    JsonNode recorded = json(
        "record",
        "--topic",
        topic,
        "--out",
        out.toString(),
        "--from",
        "10",
        "--codec",
        "deflate",
        "--schema",
        schema.toString(),
        "--encryption-key-file",
        key.toString(),
        "--bootstrap-server",
        cluster.clients().get("bootstrap.servers"),
        "--json");
    assertThat(recorded.get("records").asLong()).isEqualTo(40);
    assertThat(recorded.get("written").asLong()).isEqualTo(40);
    assertThat(recorded.get("resumed").asBoolean()).isFalse();
    JsonNode shown =
        json("record", "--show", out.toString(), "--encryption-key-file", key.toString(), "--json");
    assertThat(shown.get("encrypted").asBoolean()).isTrue();
    assertThat(shown.get("codec").asText()).isEqualTo("deflate");
    assertThat(shown.get("schema").asText()).isEqualTo("\"string\"");
    for (String name : List.of("topic", "topicId", "clusterId", "digest", "ranges")) {
      assertThat(shown.get(name)).isEqualTo(recorded.get(name)).isNotNull();
    }
    assertThat(read(out, Keyset.read(key))).hasSize(40);
    StringWriter errors = new StringWriter();
    assertThat(Main.commandLine()
            .setErr(new PrintWriter(errors))
            .execute("record", "--show", out.toString()))
        .isEqualTo(ExitCode.RECORDING.code());
    assertThat(errors.toString()).contains("is encrypted, but no encryption key is given");
  }

  /** The order alone is no recording, and would be in the way of the next try. */
  @Test
  void leavesNoOrderWhereNothingElseWasRecorded() throws Exception {
    cluster.createTopic("quiet-events");
    cluster.createTopic("quiet.order");
    send("quiet.order", 0, 3);
    Path key = folder.resolve("noise.key");
    assertThat(Main.commandLine().execute("key", key.toString())).isZero();
    Path config = Files.writeString(folder.resolve("sotto.yaml"), """
        app.id: quiet
        bootstrap.servers: %s
        events.topic: quiet-events
        features.numeric.x: {field: x, min: -1, max: 1}
        label.field: y
        loss: logistic
        privacy: {epsilon: 1, delta: 1e-6}
        noise.key.file: %s
        """.formatted(
            cluster.clients().get("bootstrap.servers"), key));
    Path out = folder.resolve("quiet.rec");
    String[] record = {"record", "-c", config.toString(), "--out", out.toString(), "--json"};
    assertThat(Main.commandLine().setErr(new PrintWriter(new StringWriter())).execute(record))
        .isEqualTo(ExitCode.RECORDING.code());
    assertThat(folder).isDirectoryNotContaining("glob:**.order");
    send("quiet-events", 0, 5);
    assertThat(json(record).get("records").asLong()).isEqualTo(5);
    assertThat(folder.resolve("quiet.rec.order")).exists();
  }

  private static JsonNode json(String... arguments) throws IOException {
    StringWriter out = new StringWriter();
    StringWriter errors = new StringWriter();
    int code = Main.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(errors))
        .execute(arguments);
    assertThat(code).as(errors.toString()).isZero();
    return new ObjectMapper().readTree(out.toString());
  }

  private static void send(String topic, int partition, int number) throws InterruptedException {
    List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      values.add(utf8("value " + i + " " + "x".repeat(i % 300)));
    }
    cluster.send(topic, partition, values);
  }
}
