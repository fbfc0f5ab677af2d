package dev.sotto.connectors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.connectors.model.ModelFileSink;
import dev.sotto.connectors.record.PublishedColumns;
import dev.sotto.connectors.record.PublishedRecordConverter;
import dev.sotto.connectors.record.PublishedVersionKey;
import dev.sotto.connectors.stream.RecordedStreamSource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.Test;

/** The page of options is what the plug-in itself declares, and columns follow from the wire format. */
class ConnectOptionsTest {
  private static final Path PAGE = Path.of("..", "docs", "connect-options.md");

  private static final String INTRODUCTION = """
      # Options of the Connect plug-in

      Printed from what the plug-in declares; a test keeps it so. How to use it: [connect.md](connect.md).
      """;

  private static final String COLUMNS = """

      ## Columns

      The fields of [the wire format](wire-format.md), by the rules of
      [connect.md](connect.md#what-a-sink-is-given).
      """;

  private static final Path WIRE_FORMAT = Path.of("..", "docs", "wire-format.md");

  /** A row of a field: its name, its type and what it is. */
  private static final Pattern FIELD =
      Pattern.compile("^\\| `([\\w.]+)` \\| ([\\w ]+) \\| (.+) \\|$", Pattern.MULTILINE);

  private static final Map<String, String> COLUMN_TYPES = Map.of(
      "boolean", "boolean",
      "string", "string",
      "int", "int32",
      "long", "int64",
      "double", "float64",
      "bytes", "string",
      "array of record", "string");

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
        + COLUMNS;
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

  /** By the rules that docs/connect.md states, from the rows of docs/wire-format.md. */
  @Test
  void columnsAreTheFieldsOfTheWireFormat() throws Exception {
    String page = Files.readString(WIRE_FORMAT);
    assertThat(PublishedColumns.schemas()).hasSizeGreaterThanOrEqualTo(3);
    for (Schema schema : PublishedColumns.schemas()) {
      List<String> columns = schema.fields().stream()
          .map(field -> field.name() + " " + field.schema().type().getName()
              + (field.schema().isOptional() ? " or null" : ""))
          .toList();
      assertThat(columns).as(schema.name()).isEqualTo(ofTheWireFormat(page, schema.name()));
    }
  }

  private static List<String> ofTheWireFormat(String page, String schema) {
    String begin = "<!-- fields " + schema.substring(schema.lastIndexOf('.') + 1) + " -->";
    assertThat(page).contains(begin);
    String rows =
        page.substring(page.indexOf(begin), page.indexOf("<!-- end -->", page.indexOf(begin)));
    List<String> columns = new ArrayList<>();
    String array = null;
    for (MatchResult row : FIELD.matcher(rows).results().toList()) {
      String name = row.group(1);
      String type = row.group(2);
      if (type.equals("record") || array != null && name.startsWith(array)) {
        continue; // its fields follow; those of a record in an array have no column
      }
      if (type.startsWith("array")) {
        array = name + ".";
      }
      boolean optional = type.startsWith("null or ");
      String column = name.replace('.', '_').replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
      columns.add(column + " " + COLUMN_TYPES.get(optional ? type.substring(8) : type)
          + (optional ? " or null" : ""));
    }
    return columns;
  }
}
