package dev.sotto.replay.recording;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.replay.recorder.Recordings;
import dev.sotto.replay.recording.Made.One;
import dev.sotto.replay.recording.container.Compression;
import dev.sotto.replay.recording.container.ContainerWriter;
import dev.sotto.topology.encryption.Encryption;
import dev.sotto.topology.encryption.Keyset;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files of format version 1, as they were first written, are read, continued and written alike. */
class EarlierContainerTest {
  @TempDir
  Path folder;

  private static List<One> records() {
    List<One> all = new ArrayList<>(Made.records(0, 40, 1));
    all.addAll(Made.records(2, 20, 1));
    return all;
  }

  private Path resource(String name) throws IOException {
    Path copy = folder.resolve(name);
    try (InputStream in = EarlierContainerTest.class.getResourceAsStream("recording-1-" + name)) {
      Files.copy(in, copy);
    }
    Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rw-------"));
    return copy;
  }

  private Encryption encryption(boolean encrypted) throws IOException {
    if (!encrypted) {
      return Encryption.none();
    }
    Path keyset = folder.resolve("keyset.json");
    return Keyset.read(Files.exists(keyset) ? keyset : resource("keyset.json"));
  }

  @ParameterizedTest
  @CsvSource({
    "null.avro, false",
    "deflate.avro, false",
    "zstandard.avro, false",
    "encrypted.avro, true"
  })
  void areRead(String name, boolean encrypted) throws IOException {
    RecordingOptions options = RecordingOptions.defaults().with(encryption(encrypted));
    assertThat(Made.read(resource(name), options)).isEqualTo(records());
  }

  @Test
  void areWrittenToTheSameBytes() throws IOException {
    Path file = folder.resolve("recording");
    Made.write(file, Made.ranges(), records(), Compression.NULL, Encryption.none());
    assertThat(Files.readAllBytes(file)).isEqualTo(Files.readAllBytes(resource("null.avro")));
  }

  @Test
  void haveTheSameDigest() throws IOException {
    Path file = folder.resolve("recording");
    Made.write(file, Made.ranges(), records(), Compression.ZSTANDARD, Encryption.none());
    try (Recording now = Recordings.open(file, RecordingOptions.defaults());
        Recording before =
            Recordings.open(resource("zstandard.avro"), RecordingOptions.defaults())) {
      assertThat(now.header()).isEqualTo(before.header());
    }
  }

  @ParameterizedTest
  @CsvSource({"incomplete.avro, false, 45", "incomplete-encrypted.avro, true, 45"})
  void areContinued(String name, boolean encrypted, long kept) throws IOException {
    Path file = resource(name);
    Encryption encryption = encryption(encrypted);
    try (ContainerWriter writer =
        ContainerWriter.open(file, Made.spec(List.of(), Compression.NULL, encryption))) {
      assertThat(writer.records()).isGreaterThanOrEqualTo(kept);
      for (RecordedRange range : writer.ranges()) {
        if (!writer.isFinished(range.partition())) {
          long next = writer.next();
          records().stream()
              .filter(each -> each.partition() == range.partition() && each.offset() >= next)
              .forEach(each -> Made.append(writer, each));
          writer.finish();
        }
      }
      writer.complete();
    }
    assertThat(Made.read(file, RecordingOptions.defaults().with(encryption))).isEqualTo(records());
  }
}
