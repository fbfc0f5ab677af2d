package dev.sotto.replay.recorder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingOptions;
import dev.sotto.replay.recording.container.Compression;
import dev.sotto.topology.encryption.Encryption;
import dev.sotto.topology.failure.SottoException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A text file becomes a container with the very same records, also where copying was interrupted.
 */
class FileRecorderTest {
  private static final RecordingOptions OPTIONS =
      RecordingOptions.defaults().withFields("k", "n").withPartitions(3);

  @TempDir
  Path folder;

  private Path events() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 5000; i++) {
      text.append("{\"k\":\"k").append(i % 17).append("\",\"n\":").append(i).append("}\n");
    }
    return Files.writeString(folder.resolve("events.jsonl"), text);
  }

  private RecordTarget target(String name) {
    return new RecordTarget(folder.resolve(name), "", Compression.NULL, Encryption.none());
  }

  private static List<String> read(Path file, RecordingOptions options) {
    List<String> read = new ArrayList<>();
    try (Recording recording = Recordings.open(file, options)) {
      for (RecordedRange range : recording.header().ranges()) {
        try (RecordCursor cursor = recording.open(range.partition())) {
          while (cursor.next()) {
            read.add(range.partition() + "/" + cursor.offset() + " " + cursor.timestamp() + " "
                + text(cursor.key()) + " " + text(cursor.value()));
          }
        }
      }
    }
    return read;
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Test
  void keepsEveryRecordThroughInterruptions() throws IOException {
    Path events = events();
    List<String> expected = read(events, OPTIONS);
    assertThat(expected).hasSize(5000).doesNotHaveDuplicates();
    RecordTarget target = target("recording");
    for (long until : new long[] {1900, 3100, 4900}) {
      assertThatThrownBy(() -> FileRecorder.record(events, OPTIONS, target, (done, most) -> {
            if (done > until) {
              throw new IllegalStateException("pulled the plug");
            }
          }))
          .hasMessage("pulled the plug");
      byte[] begun = Files.readAllBytes(target.file());
      Files.write(target.file(), Arrays.copyOf(begun, begun.length - 1));
    }
    assertThatThrownBy(() ->
            FileRecorder.record(events, OPTIONS.withPartitions(2), target, (done, most) -> {}))
        .isInstanceOf(SottoException.class)
        .hasMessageContaining("was begun otherwise: range events.jsonl");
    RecordResult recorded = FileRecorder.record(events, OPTIONS, target, (done, most) -> {});
    assertThat(recorded.resumed()).isTrue();
    assertThat(recorded.written()).isLessThan(5000);
    assertThat(recorded.records()).isEqualTo(5000);
    assertThat(read(target.file(), RecordingOptions.defaults())).isEqualTo(expected);
    for (RecordedRange range : recorded.header().ranges()) {
      assertThat(range)
          .isEqualTo(new RecordedRange(range.partition(), 0, range.records(), range.records()));
    }
  }

  @Test
  void keepsWhereACopyCameFrom() throws IOException {
    FileRecorder.record(events(), OPTIONS, target("first"), (done, most) -> {});
    Path first = folder.resolve("first");
    RecordTarget deflated = new RecordTarget(
        folder.resolve("second"), "\"long\"", Compression.DEFLATE, Encryption.none());
    RecordResult second =
        FileRecorder.record(first, RecordingOptions.defaults(), deflated, (done, most) -> {});
    assertThat(second.header().topic()).isEqualTo("events.jsonl");
    assertThat(second.header().schema()).isEqualTo("\"long\"");
    assertThat(second.bytes()).isLessThan(Files.size(first));
    assertThat(read(deflated.file(), RecordingOptions.defaults()))
        .isEqualTo(read(first, RecordingOptions.defaults()));
  }
}
