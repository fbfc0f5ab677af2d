package dev.sotto.replay.recording;

import java.util.Locale;

/** The formats of recordings. */
public enum RecordingFormat {
  /** The Avro container file of {@code record}. */
  AVRO("avro"),
  /** One JSON object a line, which is the value. */
  JSON_LINES("json-lines", ".jsonl", ".ndjson", ".json"),
  /** Values between commas, semicolons, tabs or | below a row of names; a JSON object by name. */
  CSV("csv", ".csv", ".tsv"),
  /** A label and {@code index:value} pairs a line; the value is an encoded Example. */
  LIBSVM("libsvm", ".libsvm", ".svm");

  private final String text;
  private final String[] endings;

  RecordingFormat(String text, String... endings) {
    this.text = text;
    this.endings = endings;
  }

  /** Whether a name has an extension of this format, in any case, with or without {@code .gz}. */
  public boolean fits(String fileName) {
    String name = fileName.toLowerCase(Locale.ROOT);
    name = name.endsWith(".gz") ? name.substring(0, name.length() - 3) : name;
    for (String ending : endings) {
      if (name.endsWith(ending)) {
        return true;
      }
    }
    return false;
  }

  /** The name in headers and messages. */
  @Override
  public String toString() {
    return text;
  }
}
