package dev.sotto.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.app.Main;
import dev.sotto.app.command.ExitCode;
import dev.sotto.testbroker.Cluster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A configuration for a topic: of its committed records, without a consumer group. */
class InitIT {
  private static final Schema SCHEMA = new Schema.Parser().parse("""
      {"type": "record", "name": "Reading", "fields": [
        {"name": "place", "type": "string"}, {"name": "degrees", "type": "double"}]}
      """);

  @RegisterExtension
  static Cluster cluster = Cluster.shared();

  @TempDir
  Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter errors = new StringWriter();

  private int init(String topic, String... more) {
    out.getBuffer().setLength(0);
    errors.getBuffer().setLength(0);
    String servers = cluster.clients().get("bootstrap.servers");
    String[] all = Stream.concat(
            Stream.of("init", "--topic", topic, "--bootstrap-server", servers, "--out", "-"),
            Stream.of(more))
        .toArray(String[]::new);
    return Main.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(errors))
        .execute(all);
  }

  private static void transaction(String topic, boolean commit, String... values) {
    try (KafkaProducer<byte[], byte[]> producer =
        cluster.producer(Map.of("transactional.id", topic + commit))) {
      producer.initTransactions();
      producer.beginTransaction();
      for (int i = 0; i < values.length; i++) {
        producer.send(
            new ProducerRecord<>(topic, i % 2, null, values[i].getBytes(StandardCharsets.UTF_8)));
      }
      producer.flush();
      if (commit) {
        producer.commitTransaction();
      } else {
        producer.abortTransaction();
      }
    }
    cluster.awaitMarkers(topic);
  }

  @Test
  void looksAtCommittedRecordsWithoutAGroup() throws Exception {
    cluster.createTopic("visits", 2, Map.of());
    transaction("visits", true, "{\"page\":\"canary\",\"ms\":86753}", "{\"page\":\"b\",\"ms\":2}");
    transaction("visits", false, "{\"aborted\":1}", "{\"aborted\":1}");

    assertThat(init("visits", "--unit-key")).as("%s", errors).isZero();
    assertThat(out.toString())
        .contains(
            "# Made by sotto init from topic visits.",
            "app.id: visits ",
            "events.topic: visits\n",
            "bootstrap.servers: " + cluster.clients().get("bootstrap.servers"),
            "  ms: {field: ms, optional: true}",
            "  page: {field: page, optional: true}",
            "unit.from: key")
        .doesNotContain("aborted", "canary", "86753");
    assertThat(init("visits", "--sample-is-public")).isZero();
    assertThat(out.toString()).contains("canary", "86753").doesNotContain("aborted");
    assertThat(cluster.admin().listGroups().all().get()).isEmpty();
  }

  @Test
  void readsAvroBySchemaInEitherFraming() throws IOException {
    Path schema = Files.writeString(folder.resolve("reading.avsc"), SCHEMA.toString());
    cluster.createTopic("readings", 2, Map.of());
    assertThat(init("readings", "--schema", schema.toString())).as("%s", errors).isZero();
    assertThat(out.toString())
        .contains("  degrees: {field: degrees}", "# events.avro.framing: raw");

    List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
      GenericRecord record = new GenericRecordBuilder(SCHEMA)
          .set("place", "canary" + i % 2)
          .set("degrees", i / 10.0)
          .build();
      new GenericDatumWriter<GenericRecord>(SCHEMA).write(record, encoder);
      encoder.flush();
      values.add(bytes.toByteArray());
    }
    cluster.send("readings", values);
    assertThat(init("readings", "--schema", schema.toString())).as("%s", errors).isZero();
    assertThat(out.toString()).contains("\nevents.avro.framing: raw").doesNotContain("canary");
    assertThat(init("readings", "--schema", schema.toString(), "--sample-is-public"))
        .isZero();
    assertThat(out.toString())
        .contains("  degrees: {field: degrees} # min: 0, max: 5", "2 values: canary0, canary1");
    assertThat(init("readings")).isEqualTo(ExitCode.RECORDING.code());
    assertThat(errors.toString()).contains("none of its records could be read", "--schema");
  }

  @Test
  void refusesATopicThatIsNotThereOrEmpty() {
    assertThat(init("nowhere")).isEqualTo(ExitCode.TOPIC.code());
    assertThat(errors.toString()).contains("topic nowhere does not exist", "check its name");
    cluster.createTopic("silent");
    assertThat(init("silent")).isEqualTo(ExitCode.TOPIC.code());
    assertThat(errors.toString()).contains("must hold a committed record", "a schema");
  }
}
