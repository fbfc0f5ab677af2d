package dev.sotto.app.command;

import dev.sotto.replay.recording.Integrity;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingFormat;
import dev.sotto.replay.recording.RecordingOptions;
import dev.sotto.replay.recording.Recordings;
import dev.sotto.topology.encryption.Encryption;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The recording that a command reads, and how: a picocli mixin. */
final class RecordingInput {
  @Parameters(
      paramLabel = "RECORDING",
      description =
          "What sotto record has made, or a text file: JSON lines, CSV or libsvm, also with .gz.")
  private Path file;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description =
          "avro, json-lines, csv or libsvm. Default: what its first bytes or its name say.")
  private String format;

  @Option(
      names = "--key-field",
      paramLabel = "FIELD",
      defaultValue = "",
      description = "Of a text file: the field that is the record's key.")
  private String keyField;

  @Option(
      names = "--timestamp-field",
      paramLabel = "FIELD",
      defaultValue = "",
      description = "Of a text file: the field with milliseconds since 1970.")
  private String timestampField;

  @Option(
      names = "--partitions",
      paramLabel = "N",
      defaultValue = "1",
      description = "Of a text file: how many partitions to deal its records out to. Default: 1.")
  private int partitions;

  Path file() {
    return file;
  }

  /**
   * Opens it.
   *
   * @param encryption the keyset of an encrypted recording
   * @throws dev.sotto.replay.recording.RecordingFault where it cannot be read
   * @throws IllegalArgumentException where the flags cannot be followed
   */
  Recording open(Encryption encryption) {
    RecordingOptions options = RecordingOptions.defaults()
        .withFields(keyField, timestampField)
        .withPartitions(partitions)
        .with(encryption)
        .with(Integrity.DIGEST);
    Optional<RecordingFormat> given = Optional.ofNullable(format).map(RecordingInput::named);
    return Recordings.open(file, given.map(options::withFormat).orElse(options));
  }

  private static RecordingFormat named(String name) {
    for (RecordingFormat each : RecordingFormat.values()) {
      if (each.toString().equals(name)) {
        return each;
      }
    }
    throw new IllegalArgumentException(
        "--format must be avro, json-lines, csv or libsvm, but was " + name);
  }
}
