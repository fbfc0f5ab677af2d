package dev.sotto.replay.recording;

import dev.sotto.topology.encryption.Encryption;
import java.util.Optional;

/**
 * How to read a recording, beyond what it says of itself.
 *
 * @param format empty to tell it from the file's first bytes and its name
 * @param keyField of JSON lines and CSV: the field that is the key of a record, levels parted by dots; empty for none
 * @param timestampField of JSON lines and CSV: the field with milliseconds since 1970; empty for none, which is 0
 * @param partitions of a text file: how many to deal its records out to, at least 1
 * @param schema of a text file: what its header shall name as the values' Avro schema; empty for none
 * @param signedLabels of libsvm: labels are -1 and 1 (or 0 and 1), and -1 is read as 0; otherwise they stand as they are
 * @param encryption the keyset of an encrypted recording
 * @param integrity how much is checked while reading
 */
public record RecordingOptions(
    Optional<RecordingFormat> format,
    String keyField,
    String timestampField,
    int partitions,
    String schema,
    boolean signedLabels,
    Encryption encryption,
    Integrity integrity) {
  public RecordingOptions {
    if (partitions < 1) {
      throw new IllegalArgumentException("partitions must be at least 1, but were " + partitions);
    }
  }

  /** One partition, no key, no timestamp, labels by their sign, no encryption, everything checked. */
  public static RecordingOptions defaults() {
    return new RecordingOptions(
        Optional.empty(), "", "", 1, "", true, Encryption.none(), Integrity.DIGEST);
  }

  /** The same for a file of this format. */
  public RecordingOptions withFormat(RecordingFormat given) {
    return new RecordingOptions(
        Optional.of(given),
        keyField,
        timestampField,
        partitions,
        schema,
        signedLabels,
        encryption,
        integrity);
  }

  /** The same with keys and timestamps from these fields; empty for none. */
  public RecordingOptions withFields(String key, String timestamp) {
    return new RecordingOptions(
        format, key, timestamp, partitions, schema, signedLabels, encryption, integrity);
  }

  /** The same over so many partitions. */
  public RecordingOptions withPartitions(int number) {
    return new RecordingOptions(
        format, keyField, timestampField, number, schema, signedLabels, encryption, integrity);
  }

  /** The same with an Avro schema of the values. */
  public RecordingOptions withSchema(String json) {
    return new RecordingOptions(
        format, keyField, timestampField, partitions, json, signedLabels, encryption, integrity);
  }

  /** The same with labels as they are. */
  public RecordingOptions withLabelsAsTheyAre() {
    return new RecordingOptions(
        format, keyField, timestampField, partitions, schema, false, encryption, integrity);
  }

  /** The same with a keyset. */
  public RecordingOptions with(Encryption keyset) {
    return new RecordingOptions(
        format, keyField, timestampField, partitions, schema, signedLabels, keyset, integrity);
  }

  /** The same with another check. */
  public RecordingOptions with(Integrity check) {
    return new RecordingOptions(
        format, keyField, timestampField, partitions, schema, signedLabels, encryption, check);
  }
}
