package dev.sotto.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.app.view.InsideWarning;
import dev.sotto.replay.recorder.Recordings;
import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Recording as far as it goes without a broker: text files, headers, and what is asked for wrongly.
 */
class RecordCommandTest extends CommandRuns {
  @TempDir
  private Path folder;

  private Path events() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 100; i++) {
      text.append("{\"k\":\"").append(i % 10).append("\",\"t\":").append(i).append("}\n");
    }
    return Files.writeString(folder.resolve("events.jsonl"), text);
  }

  private static List<String> read(Path file) {
    List<String> read = new ArrayList<>();
    try (Recording recording = Recordings.open(file, RecordingOptions.defaults())) {
      for (RecordedRange range : recording.header().ranges()) {
        try (RecordCursor cursor = recording.open(range.partition())) {
          while (cursor.next()) {
            read.add(range.partition() + "/" + cursor.offset() + " "
                + new String(cursor.key(), StandardCharsets.UTF_8) + " " + cursor.timestamp());
          }
        }
      }
    }
    return read;
  }

  @Test
  void turnsATextFileIntoARecordingAndThatIntoAnother() throws IOException {
    Path first = folder.resolve("first");
    assertThat(run(
            "record",
            "--file",
            events().toString(),
            "--out",
            first.toString(),
            "--key-field",
            "k",
            "--timestamp-field",
            "t",
            "--partition-count",
            "3",
            "--json"))
        .as(errors.toString())
        .isZero();
    JsonNode recorded = new ObjectMapper().readTree(out.toString());
    assertThat(recorded.get("records").asLong()).isEqualTo(100);
    assertThat(recorded.get("topic").asText()).isEqualTo("events.jsonl");
    assertThat(recorded.get("ranges")).hasSize(3);
    assertThat(errors.toString()).isEqualToIgnoringNewLines(InsideWarning.OF_RECORDINGS);
    assertThat(read(first)).hasSize(100).doesNotHaveDuplicates();

    Path key = folder.resolve("key");
    assertThat(run("key", "--encryption", key.toString())).isZero();
    Path second = folder.resolve("second");
    assertThat(run(
            "record", "--file", first.toString(), "--out", second.toString(), "--codec", "null"))
        .as(errors.toString())
        .isZero();
    assertThat(out.toString()).contains("partition 0: from 0 to ", "digest  ", "events.jsonl");
    assertThat(read(second)).isEqualTo(read(first));
    assertThat(run("record", "--show", second.toString())).isZero();
    assertThat(out.toString())
        .startsWith(InsideWarning.OF_RECORDINGS)
        .contains("codec      null", "encrypted  false", "format     avro");
    Path sealed = folder.resolve("sealed");
    assertThat(run(
            "record",
            "--file",
            first.toString(),
            "--out",
            sealed.toString(),
            "--encryption-key-file",
            key.toString()))
        .as(errors.toString())
        .isZero();
    assertThat(run("record", "--show", sealed.toString())).isEqualTo(ExitCode.RECORDING.code());
    assertThat(run("record", "--show", sealed.toString(), "--encryption-key-file", key.toString()))
        .isZero();
    assertThat(out.toString()).contains("encrypted  true");
  }

  @Test
  void showsATextFile() throws IOException {
    assertThat(run("record", "--show", events().toString(), "--json")).isZero();
    JsonNode shown = new ObjectMapper().readTree(out.toString());
    assertThat(shown.get("format").asText()).isEqualTo("json-lines");
    assertThat(shown.get("ranges").get(0).get("to").isNull()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--topic t | --out must name the file to write",
        "--out OUT | what to record is not named: give --topic, --file or -c",
        "--out OUT --topic t --file f | --topic is of topics and --file is read as a whole",
        "--out OUT --file f --from 5 | --from is of topics",
        "--out OUT --file f --to latest | --to is of topics",
        "--out OUT --file f --partitions 4 | --partition-count deals records out",
        "--out OUT --topic t | the brokers are not named: give --bootstrap-server or -c",
        "--out OUT --topic t --codec snappy | --codec must be null, deflate or zstandard",
        "--out OUT --topic t --from yesterday | an end of a range must be earliest, latest",
        "--out OUT --topic t --to 0:1,0:2 | partition 0 has two offsets",
        "--out OUT --topic t --schema none.avsc | there is no schema file none.avsc",
        "--out OUT --file f --partition-count 0 | --partition-count must be at least 1",
        "--out OUT --file f --format xml | must be one of [avro, json-lines, csv, libsvm]"
      })
  void saysWhatIsAskedForWrongly(String flags, String said) {
    List<String> arguments = new ArrayList<>(List.of("record"));
    for (String each : flags.split(" ")) {
      arguments.add(each.equals("OUT") ? folder.resolve("out").toString() : each);
    }
    assertThat(run(arguments.toArray(String[]::new))).isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString()).contains(said);
    assertThat(folder.resolve("out")).doesNotExist();
  }

  @Test
  void endsWithTheRecordingsCodeWhereOneIsFaulty() throws IOException {
    Path csv = Files.writeString(folder.resolve("a.csv"), "a,b\n1,2\n1,2,3\n");
    Path target = folder.resolve("out");
    assertThat(run("record", "--file", csv.toString(), "--out", target.toString()))
        .isEqualTo(ExitCode.RECORDING.code());
    assertThat(errors.toString()).contains("line 3: the row has 3 cells");
    assertThat(run("record", "--show", target.toString())).isEqualTo(ExitCode.RECORDING.code());
    assertThat(errors.toString()).contains("is incomplete");
    Files.writeString(csv, "a,b\n1,2\n1,3\n");
    assertThat(run("record", "--file", csv.toString(), "--out", target.toString()))
        .isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString()).contains("was begun otherwise: range a.csv (csv, 14 bytes");
    assertThat(run("record", "--file", csv.toString(), "--out", folder + "/no/out"))
        .isEqualTo(ExitCode.RECORDING.code());
    assertThat(errors.toString()).contains("cannot be written");
  }

  /** Without the noise key, which recording has no use for; never without the keyset. */
  @Test
  void takesTopicAndBrokersFromAConfiguration() throws IOException {
    String config = """
        app.id: minimal
        events.topic: points
        features.numeric.x: {field: x, min: -1, max: 1}
        label.field: y
        loss: logistic
        privacy.epsilon: 2
        privacy.delta: 1e-6
        privacy.horizon.rounds: endless
        noise.key.file: nowhere.key
        bootstrap.servers: 127.0.0.1:1
        kafka.admin.default.api.timeout.ms: 1000
        kafka.admin.request.timeout.ms: 500
        """;
    Path file = Files.writeString(folder.resolve("sotto.yaml"), config);
    String target = folder.resolve("out").toString();
    assertThat(run("record", "-c", file.toString(), "--out", target))
        .as(errors.toString())
        .isEqualTo(ExitCode.UNREACHABLE.code());
    assertThat(errors.toString()).contains("no broker answered at 127.0.0.1:1");
    Files.writeString(file, config + "encryption.key.file: nowhere.keyset\n");
    assertThat(run("record", "-c", file.toString(), "--out", target))
        .isEqualTo(ExitCode.CONFIGURATION.code());
    assertThat(errors.toString()).contains("encryption.key.file");
  }
}
