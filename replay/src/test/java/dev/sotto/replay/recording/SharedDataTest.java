package dev.sotto.replay.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sotto.replay.recording.Made.One;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** The recorded sets, every row of them. */
class SharedDataTest {
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
      } else {
        int names = file.toString().endsWith(".csv.gz") ? 1 : 0;
        assertThat(records).as(file.toString()).hasSize(lines.size() - names);
      }
      assertThat(records.get(records.size() - 1).offset()).isEqualTo(records.size() - 1);
    }
  }
}
