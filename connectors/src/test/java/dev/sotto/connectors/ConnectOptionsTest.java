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
import java.util.regex.Matcher;
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

  /** Where the fields of a field stand, if that is the table of another record. */
  private static final Pattern ELSEWHERE =
      Pattern.compile("Its fields: those of `([\\w.]+)` of `(\\w+)`");

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
    List<String> columns = new ArrayList<>();
    String array = null;
    for (String[] row : rows(page, schema.substring(schema.lastIndexOf('.') + 1))) {
      String name = row[0];
      String type = row[1];
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

  /** Names and types of the rows of a record, with those that stand in the table of another one. */
  private static List<String[]> rows(String page, String record) {
    String begin = "<!-- fields " + record + " -->";
    assertThat(page).contains(begin);
    String table =
        page.substring(page.indexOf(begin), page.indexOf("<!-- end -->", page.indexOf(begin)));
    List<String[]> rows = new ArrayList<>();
    for (MatchResult row : FIELD.matcher(table).results().toList()) {
      rows.add(new String[] {row.group(1), row.group(2)});
      Matcher elsewhere = ELSEWHERE.matcher(row.group(3));
      if (elsewhere.find()) {
        String there = elsewhere.group(1) + ".";
        rows(page, elsewhere.group(2)).stream()
            .filter(each -> each[0].startsWith(there))
            .map(each ->
                new String[] {row.group(1) + "." + each[0].substring(there.length()), each[1]})
            .forEach(rows::add);
      }
    }
    return rows;
  }
}
