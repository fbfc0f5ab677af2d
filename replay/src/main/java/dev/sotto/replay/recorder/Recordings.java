package dev.sotto.replay.recorder;

import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingException;
import dev.sotto.replay.recording.RecordingFormat;
import dev.sotto.replay.recording.RecordingOptions;
import dev.sotto.replay.recording.container.Container;
import dev.sotto.replay.recording.text.NoText;
import dev.sotto.replay.recording.text.TextRecording;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Opens recordings of any format. */
public final class Recordings {
  private Recordings() {}

  /**
   * Opens a file.
   *
   * @throws RecordingException where it is no recording, or one that is not whole
   */
  public static Recording open(Path file, RecordingOptions options) {
    RecordingFormat format = options.format().orElseGet(() -> format(file));
    return format == RecordingFormat.AVRO
        ? Container.open(file, options.encryption(), options.integrity())
        : TextRecording.open(file, format, options);
  }

  private static RecordingFormat format(Path file) {
    byte[] start = start(file);
    if (Container.isAvro(start)) {
      return RecordingFormat.AVRO;
    }
    String name = file.getFileName().toString();
    for (RecordingFormat each : RecordingFormat.values()) {
      if (each.fits(name)) {
        return each;
      }
    }
    NoText.of(start).ifPresent(other -> {
      throw new RecordingException(file + " is " + other);
    });
    throw new RecordingException(
        file + " is no recording: it does not begin as an Avro file does, and its name does not"
            + " end in .jsonl, .ndjson, .json, .csv, .tsv, .libsvm or .svm (with or without .gz)."
            + " Check the path, record again, or say which format it has (--format)");
  }

  private static byte[] start(Path file) {
    if (!Files.isRegularFile(file)) {
      throw new RecordingException(
          Files.exists(file)
              ? file + " must be a file, which is read more than once, but is a folder, a pipe or a"
                  + " device"
              : file + " does not exist; check the path");
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] start = in.readNBytes(Math.max(Container.MAGIC_BYTES, NoText.BYTES));
      if (start.length == 0) {
        throw new RecordingException(file + " is empty; check where it comes from");
      }
      return start;
    } catch (IOException unreadable) {
      throw new RecordingException(file + " cannot be read: " + unreadable, unreadable);
    }
  }
}
