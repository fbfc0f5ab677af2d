package dev.sotto.replay.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.replay.recorder.FileRecorder;
import dev.sotto.replay.recorder.RecordTarget;
import dev.sotto.replay.recorder.Recordings;
import dev.sotto.replay.recording.Made.One;
import dev.sotto.replay.recording.container.Compression;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.serdes.record.UnitSource;
import dev.sotto.topology.encryption.Encryption;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The recorded sets, every row of them. */
@Tag("long")
class SharedDataTest {
  private static final int ADULT_FEATURES = 123;

  @TempDir
  Path folder;

  private static List<Path> files() throws IOException {
    String set = System.getenv("SOTTO_SHARED_DATA");
    Path here = Path.of("").toAbsolutePath();
    Path project = Files.exists(here.resolve("examples")) ? here : here.getParent();
    Path data = set == null ? project.resolve("../shared/data").normalize() : Path.of(set);
    assumeTrue(
        Files.isDirectory(data),
        "skipped: the recorded data (shared/data) are not on this machine");
    try (Stream<Path> all = Files.list(data)) {
      return all.filter(each -> each.toString().matches(".*\\.(jsonl|csv|libsvm)\\.gz"))
          .sorted()
          .toList();
    }
  }

  private static List<String> lines(Path file) throws IOException {
    try (BufferedReader lines = new BufferedReader(new InputStreamReader(
        new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      return lines.lines().filter(each -> !each.isBlank()).toList();
    }
  }

  @Test
  void areReadToTheLastRow() throws IOException {
    List<Path> files = files();
    assertThat(files).isNotEmpty();
    for (Path file : files) {
      List<String> lines = lines(file);
      List<One> records = Made.read(file, RecordingOptions.defaults());
      if (file.toString().endsWith(".jsonl.gz")) {
        assertThat(records.stream().map(One::value).toList())
            .as(file.toString())
            .isEqualTo(lines);
      } else if (file.toString().endsWith(".csv.gz")) {
        assertRows(file, lines, records);
      } else {
        assertExamples(file, lines);
      }
    }
  }

  /** None of the sets quotes a cell: a row is what its commas part. */
  private static void assertRows(Path file, List<String> lines, List<One> records)
      throws IOException {
    assertThat(records).as(file.toString()).hasSize(lines.size() - 1);
    String[] names = lines.get(0).split(",", -1);
    ObjectMapper json =
        new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
    for (int i = 0; i < records.size(); i++) {
      String[] cells = lines.get(i + 1).split(",", -1);
      JsonNode row = json.readTree(records.get(i).value());
      for (int j = 0; j < names.length; j++) {
        JsonNode cell = row.get(names[j]);
        String where = file + ", row " + i + ", " + names[j];
        if (cells[j].isEmpty()) {
          assertThat(cell).as(where).isNull();
        } else if (cell.isNumber()) {
          assertThat(cell.decimalValue()).as(where).isEqualByComparingTo(cells[j]);
        } else {
          assertThat(cell.asText()).as(where).isEqualTo(cells[j]);
        }
      }
    }
  }

  private static void assertExamples(Path file, List<String> lines) {
    ExampleCodec codec = new ExampleCodec(ADULT_FEATURES, 1 << 20, UnitSource.NONE);
    Slot slot = new Slot(ADULT_FEATURES);
    int row = 0;
    try (Recording recording = Recordings.open(file, RecordingOptions.defaults());
        RecordCursor cursor = recording.open(0)) {
      while (cursor.next()) {
        String[] words = lines.get(row++).strip().split(" ");
        assertThat(codec.decode(null, cursor.value(), slot)).isEqualTo(RecordStatus.USED);
        assertThat(slot.example().label()).isEqualTo(Double.parseDouble(words[0]) > 0 ? 1 : 0);
        assertThat(slot.example().size()).isEqualTo(words.length - 1);
        for (int j = 1; j < words.length; j++) {
          assertThat(slot.example().indices()[j - 1] + 1 + ":")
              .isEqualTo(words[j].substring(0, words[j].indexOf(':') + 1));
        }
      }
    }
    assertThat(row).as(file.toString()).isEqualTo(lines.size());
  }

  /** Keyed by person or aircraft, over partitions, and as a container. */
  @Test
  void keepTheirKeysAndTimes() throws IOException {
    RecordingOptions options =
        RecordingOptions.defaults().withFields("key", "ts").withPartitions(4);
    for (Path file : files()) {
      if (file.toString().endsWith(".jsonl.gz")) {
        List<One> records = Made.read(file, options);
        assertThat(records).as(file.toString()).hasSameSizeAs(lines(file)).allSatisfy(each -> {
          assertThat(each.key()).isNotEmpty();
          assertThat(each.value()).contains("\"" + each.key() + "\"", ":" + each.timestamp());
        });
        assertThat(records.stream().map(One::partition).distinct()).containsExactly(0, 1, 2, 3);
        RecordTarget target = new RecordTarget(
            folder.resolve("recording"), "", Compression.ZSTANDARD, Encryption.none());
        FileRecorder.record(file, options, target, (done, most) -> {});
        assertThat(Made.read(target.file(), RecordingOptions.defaults())).isEqualTo(records);
        Files.delete(target.file());
      }
    }
  }
}
