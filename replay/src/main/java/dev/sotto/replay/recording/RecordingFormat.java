package dev.sotto.replay.recording;

/** What a recording is written in. */
public enum RecordingFormat {
  /** The Avro container file of {@code record}. */
  AVRO("avro"),
  /** One JSON object a line, which is the value. */
  JSON_LINES("json-lines", ".jsonl", ".ndjson"),
  /** Comma-separated values below a row of names; the value is a JSON object by name. */
  CSV("csv", ".csv"),
  /** A label and {@code index:value} pairs a line; the value is an encoded Example. */
  LIBSVM("libsvm", ".libsvm", ".svm");

  private final String text;
  private final String[] endings;

  RecordingFormat(String text, String... endings) {
    this.text = text;
    this.endings = endings;
  }

  /** Whether files of this format usually end like this name; {@code .gz} behind it does not count. */
  boolean fits(String fileName) {
    String name =
        fileName.endsWith(".gz") ? fileName.substring(0, fileName.length() - 3) : fileName;
    for (String ending : endings) {
      if (name.endsWith(ending)) {
        return true;
      }
    }
    return false;
  }

  /** The name for people and in headers. */
  @Override
  public String toString() {
    return text;
  }
}
