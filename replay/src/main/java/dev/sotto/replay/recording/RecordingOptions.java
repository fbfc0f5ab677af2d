package dev.sotto.replay.recording;

import dev.sotto.topology.encryption.Encryption;
import java.util.Optional;

/**
 * How to read a recording.
 *
 * @param format empty to detect it by the file's first bytes and its name
 * @param text how to read a text file
 * @param encryption the keyset of an encrypted recording
 * @param integrity what is checked while reading
 */
public record RecordingOptions(
    Optional<RecordingFormat> format, Text text, Encryption encryption, Integrity integrity) {
  /**
   * How to read a text file.
   *
   * @param keyField of JSON lines and CSV: the field that becomes the key, with dots between
   *     levels; empty for none
   * @param timestampField of JSON lines and CSV: the field with milliseconds since 1970; empty for
   *     the timestamp 0
   * @param partitions among which records are distributed, at least 1
   * @param schema the Avro schema of the values for the header; empty for none
   * @param signedLabels of libsvm: labels are -1, 0 or 1, and -1 is read as 0; otherwise any number
   * @param cellLines of CSV: the most line ends in one cell; negative where none is stated
   */
  public record Text(
      String keyField,
      String timestampField,
      int partitions,
      String schema,
      boolean signedLabels,
      int cellLines) {
    public Text {
      if (partitions < 1) {
        throw new IllegalArgumentException("partitions must be at least 1, but were " + partitions);
      }
    }
  }

  /** One partition, no key, no timestamp, labels by sign, no encryption, everything checked. */
  public static RecordingOptions defaults() {
    return new RecordingOptions(
        Optional.empty(), new Text("", "", 1, "", true, -1), Encryption.none(), Integrity.DIGEST);
  }

  private RecordingOptions with(Text other) {
    return new RecordingOptions(format, other, encryption, integrity);
  }

  /** The same for a file of this format. */
  public RecordingOptions withFormat(RecordingFormat given) {
    return new RecordingOptions(Optional.of(given), text, encryption, integrity);
  }

  /** The same with keys and timestamps from these fields; empty for none. */
  public RecordingOptions withFields(String key, String timestamp) {
    return with(
        new Text(key, timestamp, text.partitions, text.schema, text.signedLabels, text.cellLines));
  }

  /** The same with a number of partitions. */
  public RecordingOptions withPartitions(int number) {
    return with(new Text(
        text.keyField,
        text.timestampField,
        number,
        text.schema,
        text.signedLabels,
        text.cellLines));
  }

  /** The same with an Avro schema of the values. */
  public RecordingOptions withSchema(String json) {
    return with(new Text(
        text.keyField,
        text.timestampField,
        text.partitions,
        json,
        text.signedLabels,
        text.cellLines));
  }

  /** The same with any number as a label. */
  public RecordingOptions withLabelsAsTheyAre() {
    return with(new Text(
        text.keyField, text.timestampField, text.partitions, text.schema, false, text.cellLines));
  }

  /** The same with at most this number of line ends in one cell of CSV. */
  public RecordingOptions withCellLines(int most) {
    return with(new Text(
        text.keyField, text.timestampField, text.partitions, text.schema, text.signedLabels, most));
  }

  /** The same with a keyset. */
  public RecordingOptions with(Encryption keyset) {
    return new RecordingOptions(format, text, keyset, integrity);
  }

  /** The same with another check. */
  public RecordingOptions with(Integrity check) {
    return new RecordingOptions(format, text, encryption, check);
  }
}
