package dev.sotto.connectors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.connectors.model.ModelFileSink;
import dev.sotto.connectors.record.PublishedColumns;
import dev.sotto.connectors.record.PublishedRecordConverter;
import dev.sotto.connectors.record.PublishedVersionKey;
import dev.sotto.connectors.stream.RecordedStreamSource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.Test;

/** The page of options is what the plug-in itself declares. */
class ConnectOptionsTest {
  private static final Path PAGE = Path.of("..", "docs", "connect-options.md");

  private static final String INTRODUCTION = """
      # Options of the Connect plug-in

      Printed from what the plug-in declares; a test keeps it so. How to use it: [connect.md](connect.md).
      """;

  @Test
  void pageSaysWhatThePlugInDeclares() throws Exception {
    String page = INTRODUCTION
        + section("Source", RecordedStreamSource.class, new RecordedStreamSource().config())
        + section("Sink", ModelFileSink.class, new ModelFileSink().config())
        + section(
            "Converter", PublishedRecordConverter.class, new PublishedRecordConverter().config())
        + "\nIn a connector's properties, `value.converter.` stands before the name.\n"
        + section(
            "Transform", PublishedVersionKey.class, new PublishedVersionKey<SinkRecord>().config())
        + "\n## Columns\n\nWhat the converter makes of each kind of record.\n"
        + PublishedColumns.schemas().stream()
            .map(ConnectOptionsTest::columns)
            .collect(Collectors.joining());
    if (Boolean.getBoolean("sotto.docs.update")) {
      Files.writeString(PAGE, page);
    }
    assertThat(Files.readString(PAGE))
        .as("run this test with -Dsotto.docs.update=true")
        .isEqualTo(page);
  }

  private static String section(String kind, Class<?> plugin, ConfigDef table) {
    String title = "\n## " + kind + "\n\n`" + plugin.getName() + "`\n\n";
    if (table.configKeys().isEmpty()) {
      return title + "It has no options.\n";
    }
    return title
        + "| option | type | default | values | |\n| --- | --- | --- | --- | --- |\n"
        + table.configKeys().values().stream()
            .map(ConnectOptionsTest::line)
            .collect(Collectors.joining());
  }

  private static String line(ConfigDef.ConfigKey key) {
    String standard = key.hasDefault()
        ? code(ConfigDef.convertToString(key.defaultValue, key.type))
        : "must be given";
    String values = key.validator == null ? "" : code(key.validator.toString());
    return "| `" + key.name + "` | " + key.type.toString().toLowerCase(Locale.ROOT) + " | "
        + standard + " | " + values + " | " + key.documentation + " |\n";
  }

  private static String code(String text) {
    return text.isEmpty() ? "" : "`" + text + "`";
  }

  private static String columns(Schema schema) {
    String version = schema.version() == null ? "" : ", version " + schema.version();
    return "\n### `" + schema.name() + "`" + version + "\n\n" + schema.doc()
        + "\n\n| column | type | |\n| --- | --- | --- |\n"
        + schema.fields().stream()
            .map(field -> "| `" + field.name() + "` | "
                + field.schema().type().getName()
                + (field.schema().isOptional() ? " or null" : "") + " | "
                + field.schema().doc()
                + " |\n")
            .collect(Collectors.joining());
  }
}
