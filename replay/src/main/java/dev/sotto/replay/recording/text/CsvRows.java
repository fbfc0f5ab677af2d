package dev.sotto.replay.recording.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Rows below a row of names (RFC 4180: commas, double quotes, UTF-8); each becomes a JSON object by name. A cell that
 * reads as a JSON number is one, so are {@code true} and {@code false}; an empty cell is left out; everything else is text.
 */
final class CsvRows implements TextSource {
  private static final Pattern NUMBER =
      Pattern.compile("-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?");
  private static final JsonFactory JSON = new JsonFactory();

  private final MappingIterator<String[]> rows;
  private final String timestampField;
  private final String[] names;
  private final int keyColumn;
  private final int timestampColumn;
  private final ByteArrayOutputStream buffer = new ByteArrayOutputStream();
  private long line;
  private byte[] value;
  private byte[] key;
  private long timestamp;

  /**
   * Rows of a stream.
   *
   * @param keyField the name of a column; empty for none
   * @param timestampField the name of a column; empty for none
   * @throws FaultyText where there is no row of names, or it lacks one of these
   */
  CsvRows(InputStream in, String keyField, String timestampField) throws IOException {
    this.rows = new CsvMapper()
        .readerFor(String[].class)
        .with(CsvParser.Feature.WRAP_AS_ARRAY)
        .with(CsvParser.Feature.SKIP_EMPTY_LINES)
        .readValues(in);
    this.timestampField = timestampField;
    this.names = row();
    if (names == null) {
      throw new FaultyText(1, "there is no row of names");
    }
    if (new HashSet<>(Arrays.asList(names)).size() < names.length) {
      throw new FaultyText(line, "the row of names has one twice: " + Arrays.toString(names));
    }
    this.keyColumn = column(keyField);
    this.timestampColumn = column(timestampField);
  }

  private int column(String name) throws FaultyText {
    if (name.isEmpty()) {
      return -1;
    }
    int column = List.of(names).indexOf(name);
    if (column < 0) {
      throw new FaultyText(
          line, "no column is called " + name + ", but only " + Arrays.toString(names));
    }
    return column;
  }

  /** The next row; null behind the last. */
  private String[] row() throws IOException {
    try {
      line = rows.getCurrentLocation().getLineNr();
      return rows.hasNextValue() ? rows.nextValue() : null;
    } catch (JsonProcessingException faulty) {
      throw new FaultyText(
          faulty.getLocation() == null ? line : faulty.getLocation().getLineNr(),
          "it is no CSV: " + faulty.getOriginalMessage());
    }
  }

  @Override
  public boolean next() throws IOException {
    String[] cells = row();
    if (cells == null) {
      return false;
    }
    if (cells.length > names.length) {
      throw new FaultyText(
          line, "the row has " + cells.length + " cells, but there are " + names.length + " names");
    }
    String keyText = cell(cells, keyColumn);
    key = keyText == null ? null : keyText.getBytes(StandardCharsets.UTF_8);
    String time = cell(cells, timestampColumn);
    timestamp = time == null ? 0 : time(time);
    value = json(cells);
    return true;
  }

  private static String cell(String[] cells, int column) {
    return column < 0 || column >= cells.length || cells[column].isEmpty() ? null : cells[column];
  }

  private long time(String text) throws FaultyText {
    if (!NUMBER.matcher(text).matches()) {
      throw Timestamps.faulty(line, timestampField, text);
    }
    return Timestamps.of(new BigDecimal(text), line, timestampField);
  }

  private byte[] json(String[] cells) throws IOException {
    buffer.reset();
    try (JsonGenerator out = JSON.createGenerator(buffer)) {
      out.writeStartObject();
      for (int i = 0; i < cells.length; i++) {
        if (!cells[i].isEmpty()) {
          out.writeFieldName(names[i]);
          write(out, cells[i]);
        }
      }
      out.writeEndObject();
    }
    return buffer.toByteArray();
  }

  private static void write(JsonGenerator out, String cell) throws IOException {
    if (NUMBER.matcher(cell).matches()) {
      out.writeNumber(cell);
    } else if (cell.equals("true") || cell.equals("false")) {
      out.writeBoolean(cell.equals("true"));
    } else {
      out.writeString(cell);
    }
  }

  @Override
  public long line() {
    return line;
  }

  @Override
  public byte[] key() {
    return key;
  }

  @Override
  public long timestamp() {
    return timestamp;
  }

  @Override
  public byte[] value() {
    return value;
  }

  @Override
  public void close() throws IOException {
    rows.close();
  }
}
