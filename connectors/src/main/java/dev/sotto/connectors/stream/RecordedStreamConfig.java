package dev.sotto.connectors.stream;

import dev.sotto.connectors.ConnectorSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.NonEmptyString;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.ValidList;

/** What a {@link RecordedStreamSource} plays, and how; {@link #TABLE} describes each setting. */
final class RecordedStreamConfig {
  static final String FILES = "files";
  static final String TOPIC = "topic";
  static final String KEY_FIELD = "key.field";
  static final String TIMESTAMP_FIELD = "timestamp.field";
  static final String LINES_PER_SECOND = "lines.per.second";
  static final String BATCH_LINES = "batch.lines";
  static final String MAX_LINE_BYTES = "max.line.bytes";
  static final String STOP_AT_END = "stop.at.end";

  static final ConfigDef TABLE = new ConfigDef()
      .define(
          FILES,
          Type.LIST,
          ConfigDef.NO_DEFAULT_VALUE,
          ValidList.anyNonDuplicateValues(false, false),
          Importance.HIGH,
          "The recorded files, in the order of play, one record a line; those that end in"
              + " .gz are unzipped."
              + " Every worker that may run the task must see them.")
      .define(
          TOPIC,
          Type.STRING,
          ConfigDef.NO_DEFAULT_VALUE,
          new NonEmptyString(),
          Importance.HIGH,
          "The topic that the lines go to.")
      .define(
          KEY_FIELD,
          Type.STRING,
          "",
          Importance.MEDIUM,
          "The JSON field, by dotted path, whose text becomes the key; empty for no keys."
              + " A line without it has no key.")
      .define(
          TIMESTAMP_FIELD,
          Type.STRING,
          "",
          Importance.LOW,
          "The JSON field, by dotted path, with milliseconds since 1970 that become the"
              + " timestamp; empty for none."
              + " A line without it, or with a negative one, is stamped when it is sent.")
      .define(
          LINES_PER_SECOND,
          Type.DOUBLE,
          0.0,
          new Rate(),
          Importance.LOW,
          "How fast to play, in lines a second; 0 for as fast as it goes.")
      .define(
          BATCH_LINES,
          Type.INT,
          500,
          Range.between(1, 1_000_000),
          Importance.LOW,
          "How many lines are handed over at once: one transaction, where the worker has"
              + " exactly-once on.")
      .define(
          MAX_LINE_BYTES,
          Type.INT,
          1 << 20,
          Range.between(1, 1 << 30),
          Importance.LOW,
          "The longest line; a longer one stops the task, since no record may be left out."
              + " Raise producer.override.max.request.size and the topic's max.message.bytes"
              + " with it.")
      .define(
          STOP_AT_END,
          Type.BOOLEAN,
          false,
          Importance.LOW,
          "Whether the task goes away once the last line is safe in the topic; otherwise it"
              + " stays, idle.");

  private final Map<String, Object> values;

  private RecordedStreamConfig(Map<String, Object> values) {
    this.values = values;
  }

  static RecordedStreamConfig of(Map<String, String> properties) {
    return new RecordedStreamConfig(ConnectorSettings.read(TABLE, properties));
  }

  /** At least one file, in the order of play. */
  List<Path> files() {
    return ((List<?>) values.get(FILES))
        .stream().map(each -> Path.of((String) each)).toList();
  }

  String topic() {
    return (String) values.get(TOPIC);
  }

  /** Empty for no keys. */
  String keyField() {
    return (String) values.get(KEY_FIELD);
  }

  /** Empty for no timestamps. */
  String timestampField() {
    return (String) values.get(TIMESTAMP_FIELD);
  }

  /** 0 for no limit. */
  double linesPerSecond() {
    return (Double) values.get(LINES_PER_SECOND);
  }

  int batchLines() {
    return (Integer) values.get(BATCH_LINES);
  }

  int maxLineBytes() {
    return (Integer) values.get(MAX_LINE_BYTES);
  }

  boolean stopAtEnd() {
    return (Boolean) values.get(STOP_AT_END);
  }

  private static final class Rate implements ConfigDef.Validator {
    @Override
    public void ensureValid(String name, Object value) {
      if (value == null) {
        return; // it is no number, which has been said
      }
      if (!((Double) value >= 0 && (Double) value < Double.POSITIVE_INFINITY)) {
        throw new org.apache.kafka.common.config.ConfigException(
            name, value, "must be at least 0 and finite");
      }
    }

    @Override
    public String toString() {
      return "[0,...)";
    }
  }
}
