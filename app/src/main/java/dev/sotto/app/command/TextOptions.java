package dev.sotto.app.command;

import dev.sotto.replay.recording.RecordingFormat;
import dev.sotto.replay.recording.RecordingHeader;
import dev.sotto.replay.recording.RecordingOptions;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.nio.file.Path;
import java.util.Arrays;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** How to read a text file as a recording. */
final class TextOptions {
  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      converter = Formats.class,
      description = "avro, json-lines, csv or libsvm, instead of what the file's name tells.")
  private RecordingFormat format;

  @Option(
      names = "--key-field",
      paramLabel = "FIELD",
      description = "JSON lines and CSV: the field with a record's key; levels parted by dots.")
  private String keyField = "";

  @Option(
      names = "--timestamp-field",
      paramLabel = "FIELD",
      description = "JSON lines and CSV: the field with its time, in milliseconds since 1970.")
  private String timestampField = "";

  @Option(
      names = "--partition-count",
      paramLabel = "N",
      description =
          "Text files: deal the records out to this number of partitions, by key (default 1; for"
              + " play as many as the topic has).")
  private Integer partitions;

  @Option(
      names = "--labels-as-they-are",
      description = "libsvm: take labels as they stand; otherwise they are -1 (read as 0), 0 or 1.")
  private boolean labelsAsTheyAre;

  @Option(
      names = "--cell-lines",
      paramLabel = "N",
      description =
          "CSV: the most line ends that a quoted cell may hold. Without it at most 5, and no line"
              + " that looks like a row: a quote that is never meant would swallow rows.")
  private Integer cellLines;

  RecordingOptions recording() {
    if (cellLines != null && cellLines < 0) {
      throw new SottoException(
          FailureKind.USAGE, "--cell-lines must be at least 0, but was " + cellLines);
    }
    if (partitions != null && partitions < 1) {
      throw new SottoException(
          FailureKind.USAGE, "--partition-count must be at least 1, but was " + partitions);
    }
    RecordingOptions options = RecordingOptions.defaults()
        .withFields(keyField, timestampField)
        .withPartitions(partitions == null ? 1 : partitions);
    options = cellLines == null ? options : options.withCellLines(cellLines);
    options = labelsAsTheyAre ? options.withLabelsAsTheyAre() : options;
    return format == null ? options : options.withFormat(format);
  }

  /** Whether it is a text, for whose records nobody has said a number of partitions. */
  boolean isSpread(RecordingHeader header) {
    return partitions == null && !header.format().equals(RecordingFormat.AVRO.toString());
  }

  /** Refuses what can only be asked of a text file, where the file is none. */
  void requireText(Path file, RecordingHeader header) {
    boolean asked = !keyField.isEmpty()
        || !timestampField.isEmpty()
        || partitions != null && partitions > 1
        || labelsAsTheyAre
        || cellLines != null;
    if (asked && header.format().equals(RecordingFormat.AVRO.toString())) {
      throw new SottoException(
          FailureKind.USAGE,
          "--key-field, --timestamp-field, --partition-count, --cell-lines and"
              + " --labels-as-they-are are of text files, but "
              + file + " is a recording, which has all of that in it; leave them out");
    }
  }

  /** Formats by the names that people know. */
  static final class Formats implements ITypeConverter<RecordingFormat> {
    @Override
    public RecordingFormat convert(String name) {
      return Arrays.stream(RecordingFormat.values())
          .filter(each -> each.toString().equals(name))
          .findFirst()
          .orElseThrow(() -> new TypeConversionException("expected one of "
              + Arrays.toString(RecordingFormat.values()) + ", but was '" + name + "'"));
    }
  }
}
