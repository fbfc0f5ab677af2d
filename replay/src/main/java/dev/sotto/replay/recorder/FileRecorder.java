package dev.sotto.replay.recorder;

import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingException;
import dev.sotto.replay.recording.RecordingHeader;
import dev.sotto.replay.recording.RecordingOptions;
import dev.sotto.replay.recording.container.ContainerSpec;
import dev.sotto.replay.recording.container.ContainerWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Turns a recording of any format into a container: a text file, or a container under another codec
 * or keyset.
 */
public final class FileRecorder {
  private FileRecorder() {}

  /**
   * Copies a recording, or continues a copy.
   *
   * @throws RecordingException where it cannot be read
   * @throws dev.sotto.topology.failure.SottoException where the target cannot be written or was
   *     begun otherwise; what is written stays, and the same call continues it
   */
  public static RecordResult record(
      Path file, RecordingOptions options, RecordTarget target, RecordProgress watch) {
    try (Recording recording = Recordings.open(file, options)) {
      RecordingHeader header = recording.header();
      ContainerSpec spec = new ContainerSpec(
          header.origin(),
          request(file, header, options),
          () -> header.ranges().stream()
              .map(each -> new RecordedRange(each.partition(), each.from(), each.to(), -1))
              .toList(),
          target.schema().isEmpty() ? header.schema() : target.schema(),
          target.compression(),
          target.encryption());
      try (ContainerWriter writer = ContainerWriter.open(target.file(), spec)) {
        copy(recording, writer, watch);
        writer.complete();
        return TopicRecorder.recorded(target, writer, List.of());
      }
    }
  }

  private static String request(Path file, RecordingHeader header, RecordingOptions options) {
    if (!header.digest().isEmpty()) {
      return "a copy of " + header.digest();
    }
    try {
      return file.getFileName() + " (" + header.format() + ", " + Files.size(file) + " bytes, "
          + options.text().partitions() + " partitions"
          + (options.text().keyField().isEmpty()
              ? ""
              : ", key " + options.text().keyField())
          + (options.text().timestampField().isEmpty()
              ? ""
              : ", timestamp " + options.text().timestampField())
          + (options.text().signedLabels() ? "" : ", labels as they are") + ")";
    } catch (IOException unreadable) {
      throw new RecordingException(file + " cannot be read: " + unreadable, unreadable);
    }
  }

  private static void copy(Recording recording, ContainerWriter writer, RecordProgress watch) {
    long most =
        recording.header().ranges().stream().mapToLong(RecordedRange::records).sum();
    long known = most < 0 ? -1 : most;
    for (RecordedRange range : writer.ranges()) {
      if (!writer.isFinished(range.partition())) {
        long next = writer.next();
        try (RecordCursor cursor = recording.open(range.partition())) {
          while (cursor.next()) {
            if (cursor.offset() >= next) {
              writer.append(
                  range.partition(),
                  cursor.offset(),
                  cursor.timestamp(),
                  cursor.key(),
                  cursor.value(),
                  cursor.headers().toArray());
              watch.at(writer.records(), known);
            }
          }
        }
        writer.finish();
      }
    }
  }
}
