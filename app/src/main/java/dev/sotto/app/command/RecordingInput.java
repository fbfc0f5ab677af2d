package dev.sotto.app.command;

import dev.sotto.replay.recorder.Recordings;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingHeader;
import dev.sotto.replay.recording.RecordingOptions;
import dev.sotto.topology.encryption.Encryption;
import dev.sotto.topology.failure.SottoException;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The recording that a command reads, and how: a picocli mixin. */
final class RecordingInput {
  @Parameters(
      paramLabel = "RECORDING",
      description =
          "What sotto record has made, or a text file: JSON lines, CSV or libsvm, also with .gz.")
  private Path file;

  @Mixin
  private TextOptions text;

  Path file() {
    return file;
  }

  /** How it is read where it is text. */
  RecordingOptions options() {
    return text.recording();
  }

  /** Whether it is a text, for whose records nobody has said a number of partitions. */
  boolean isSpread(RecordingHeader header) {
    return text.isSpread(header);
  }

  /**
   * Opens it.
   *
   * @param encryption the keyset of an encrypted recording
   * @throws dev.sotto.replay.recording.RecordingException where it cannot be read
   * @throws SottoException where the flags cannot be followed
   */
  Recording open(Encryption encryption) {
    return open(file, encryption);
  }

  /** Opens another one, of the same form where it is text. */
  Recording open(Path file, Encryption encryption) {
    Recording recording = Recordings.open(file, text.recording().with(encryption));
    try {
      text.requireText(file, recording.header());
    } catch (SottoException misused) {
      recording.close();
      throw misused;
    }
    return recording;
  }

  /** Says what is to be known of the form of what was read. */
  static void tell(Recording recording, PrintWriter errors) {
    recording.remark().ifPresent(each -> errors.println("sotto: " + each));
    errors.flush();
  }
}
