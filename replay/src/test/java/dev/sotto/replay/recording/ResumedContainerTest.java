package dev.sotto.replay.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.replay.recorder.Recordings;
import dev.sotto.replay.recording.Made.One;
import dev.sotto.replay.recording.container.Compression;
import dev.sotto.replay.recording.container.ContainerSpec;
import dev.sotto.replay.recording.container.ContainerWriter;
import dev.sotto.topology.encryption.Encryption;
import dev.sotto.topology.encryption.Keyset;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A container that was cut is gone on with, by one recorder at a time and as it was begun. */
class ResumedContainerTest {
  @TempDir
  Path folder;

  /** Bytes from one place at which a file is cut to the next. */
  int step() {
    return 2011;
  }

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

  private static String latin(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.ISO_8859_1);
  }

  /** Cut anywhere behind its header, recording goes on to the very same records. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void isGoneOnWithBehindItsLastWholeBlock(boolean encrypted) throws IOException {
    Encryption encryption = encryption(encrypted);
    Path begun = folder.resolve("begun");
    List<RecordedRange> ranges = Made.ranges();
    List<One> records = records();
    try (ContainerWriter writer =
        ContainerWriter.open(begun, Made.spec(ranges, Compression.NULL, encryption))) {
      for (RecordedRange range : ranges) {
        int since = 0;
        for (One one : records) {
          if (one.partition() == range.partition()) {
            Made.append(writer, one);
            if (++since % 50 == 0) {
              writer.flush();
            }
          }
        }
        if (range.partition() != 3) {
          writer.finish();
        }
      }
    }
    byte[] whole = Files.readAllBytes(begun);
    int header = latin(begun).indexOf("{\"version\"");
    int cuts = 0;
    int kept = 0;
    for (int length = header + 3000; length <= whole.length; length += step()) {
      Path file = folder.resolve("cut");
      Files.write(file, Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> Recordings.open(file, RecordingOptions.defaults().with(encryption)))
          .isInstanceOf(RecordingException.class)
          .hasMessageContaining("is incomplete")
          .hasMessageContaining("once more");
      long there;
      try (ContainerWriter writer =
          ContainerWriter.open(file, Made.spec(List.of(), Compression.NULL, encryption))) {
        assertThat(writer.resumed()).isTrue();
        assertThat(writer.ranges()).isEqualTo(ranges);
        there = writer.records();
        for (RecordedRange range : ranges) {
          if (!writer.isFinished(range.partition())) {
            long next = writer.next();
            records.stream()
                .filter(each -> each.partition() == range.partition() && each.offset() >= next)
                .forEach(each -> Made.append(writer, each));
            writer.finish();
          }
        }
        assertThat(writer.written()).isEqualTo(records.size() - there);
        writer.complete();
      }
      kept += there > 0 ? 1 : 0;
      cuts++;
      assertThat(Made.read(file, RecordingOptions.defaults().with(encryption))).isEqualTo(records);
      Files.delete(file);
    }
    assertThat(cuts).isGreaterThan(20_000 / step());
    assertThat(kept).isGreaterThan(cuts * 9 / 10 - 1);
  }

  /**
   * Blocks that somebody has cut out of an encrypted file are recorded again, whatever lies behind
   * them.
   */
  @Test
  void missesWhatWasCutOut() throws IOException {
    Encryption encryption = encryption(true);
    Path file = folder.resolve("begun");
    List<Integer> ends = new ArrayList<>(); // of the first half of partition 0, of all of it
    try (ContainerWriter writer =
        ContainerWriter.open(file, Made.spec(Made.ranges(), Compression.NULL, encryption))) {
      int number = 0;
      for (One one : records()) {
        if (number == 200 || number == 400) {
          writer.flush();
          ends.add((int) Files.size(file));
        }
        if (number++ == 400) {
          writer.finish();
        }
        Made.append(writer, one);
      }
    }
    byte[] whole = Files.readAllBytes(file);
    byte[] cut = Arrays.copyOf(whole, whole.length - (ends.get(1) - ends.get(0)));
    System.arraycopy(whole, ends.get(1), cut, ends.get(0), whole.length - ends.get(1));
    Files.write(file, cut);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    try (ContainerWriter writer =
        ContainerWriter.open(file, Made.spec(List.of(), Compression.NULL, encryption))) {
      assertThat(writer.isFinished(0)).isFalse();
      assertThat(writer.records()).isEqualTo(200);
      for (RecordedRange range : Made.ranges()) {
        long next = writer.next();
        records().stream()
            .filter(each -> each.partition() == range.partition() && each.offset() >= next)
            .forEach(each -> Made.append(writer, each));
        writer.finish();
      }
      writer.complete();
    }
    assertThat(Made.read(file, RecordingOptions.defaults().with(encryption))).isEqualTo(records());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .as("others could read it, until it was gone on with")
        .isEqualTo("rw-------");
  }

  @ParameterizedTest
  @CsvSource({
    "other, events, topic-id, all, null, cluster cluster",
    "cluster, other, topic-id, all, null, topic events",
    "cluster, events, other, all, null, topic id topic-id",
    "cluster, events, topic-id, some, null, range all",
    "cluster, events, topic-id, all, zstandard, codec null"
  })
  void isNotGoneOnWithOtherwise(
      String cluster, String topic, String id, String request, String codec, String named)
      throws IOException {
    Path file = folder.resolve("begun");
    ContainerWriter.open(file, spec("cluster", "events", "topic-id", "all", "null"))
        .close();
    byte[] before = Files.readAllBytes(file);
    assertThatThrownBy(() -> ContainerWriter.open(file, spec(cluster, topic, id, request, codec)))
        .isInstanceOf(SottoException.class)
        .hasMessageContaining("was begun otherwise: " + named)
        .satisfies(each -> assertThat(((SottoException) each).kind()).isEqualTo(FailureKind.USAGE));
    assertThat(Files.readAllBytes(file)).isEqualTo(before);
  }

  private static ContainerSpec spec(
      String cluster, String topic, String id, String request, String codec) {
    return new ContainerSpec(
        new RecordingOrigin(cluster, topic, id),
        request,
        Made::ranges,
        "",
        Compression.of(codec).orElseThrow(),
        Encryption.none());
  }

  @Test
  void isWrittenByOneAtATimeAndOnlyOnce() throws IOException {
    Path file = folder.resolve("recording");
    ContainerSpec spec = Made.spec(Made.ranges(), Compression.NULL, Encryption.none());
    try (ContainerWriter writer = ContainerWriter.open(file, spec)) {
      assertThat(writer.resumed()).isFalse();
      assertThatThrownBy(() -> ContainerWriter.open(file, spec))
          .hasMessageContaining("is being written by another recorder");
      assertThatThrownBy(() -> Made.append(writer, records().get(400)))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> ContainerWriter.open(
            file, Made.spec(Made.ranges(), Compression.NULL, encryption(true))))
        .hasMessageContaining("was begun without encryption");
    Files.delete(file);
    Made.write(file, Made.ranges(), records(), Compression.NULL, Encryption.none());
    assertThatThrownBy(() -> ContainerWriter.open(file, spec))
        .hasMessageContaining("is complete: it holds events");
  }
}
