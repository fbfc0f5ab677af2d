package dev.sotto.replay.recording;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.replay.recording.Made.One;
import dev.sotto.replay.recording.container.Compression;
import dev.sotto.topology.encryption.Encryption;
import dev.sotto.topology.encryption.Keyset;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Containers come back as they were written, whole or in two goes. */
class ContainerTest {
  @TempDir
  Path folder;

  private static List<One> records() {
    List<One> all = new ArrayList<>(Made.records(0, 400, 1));
    all.addAll(Made.records(2, 20, 1));
    return all;
  }

  private Encryption encryption(boolean encrypted) throws IOException {
    Path key = folder.resolve("key");
    return !encrypted
        ? Encryption.none()
        : Files.exists(key) ? Keyset.read(key) : Keyset.create(key);
  }

  @ParameterizedTest
  @CsvSource({
    "null, false",
    "deflate, false",
    "zstandard, false",
    "null, true",
    "deflate, true",
    "zstandard, true"
  })
  void givesBackWhatWasWritten(String codec, boolean encrypted) throws IOException {
    Encryption encryption = encryption(encrypted);
    Compression compression = Compression.of(codec).orElseThrow();
    Path file = folder.resolve("recording");
    Made.write(file, Made.ranges(), records(), compression, encryption);
    for (Integrity integrity : Integrity.values()) {
      RecordingOptions options = RecordingOptions.defaults().with(encryption).with(integrity);
      assertThat(Made.read(file, options)).isEqualTo(records());
    }
    RecordingHeader header =
        Recordings.open(file, RecordingOptions.defaults().with(encryption)).header();
    assertThat(header.ranges())
        .containsExactly(
            new RecordedRange(0, 10, 1000, 400),
            new RecordedRange(2, 0, 50, 20),
            new RecordedRange(3, 0, 1_000_000, 0));
    assertThat(header.digest()).matches("[0-9a-f]{64}");
    assertThat(List.of(
            header.format(), header.clusterId(), header.topic(), header.topicId(), header.schema()))
        .containsExactly("avro", "cluster", "events", "topic-id", "{\"type\":\"long\"}");
  }
}
