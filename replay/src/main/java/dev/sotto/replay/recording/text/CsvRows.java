package dev.sotto.replay.recording.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;

/**
 * Rows below a row of names (RFC 4180: double quotes, UTF-8; commas, semicolons or tabs, see {@link
 * CsvSeparator}); each becomes a JSON object by name, see {@link CsvColumns}. A cell that reads as
 * a JSON number, {@code true} or {@code false} becomes one; an empty cell is left out; everything
 * else is text.
 */
final class CsvRows implements TextSource {
  private static final JsonFactory JSON = new JsonFactory();

  private final MappingIterator<String[]> rows;
  private final String timestampField;
  private final String[] names;
  private final CsvColumns columns;
  private final int keyColumn;
  private final int timestampColumn;
  private final ByteArrayOutputStream buffer = new ByteArrayOutputStream();
  private long line;

  /**
   * Rows of a stream.
   *
   * @param keyField the name of a column; empty for none
   * @param timestampField the name of a column; empty for none
   * @throws MalformedTextException where there is no row of names, or it lacks one of these
   */
  CsvRows(InputStream in, String keyField, String timestampField) throws IOException {
    InputStream text = new BufferedInputStream(new Utf8Stream(in));
    this.rows = new CsvMapper()
        .readerFor(String[].class)
        .with(CsvSchema.emptySchema().withColumnSeparator(CsvSeparator.of(text)))
        .with(CsvParser.Feature.WRAP_AS_ARRAY)
        .with(CsvParser.Feature.SKIP_EMPTY_LINES)
        .readValues(text);
    this.timestampField = timestampField;
    this.names = row();
    if (names == null) {
      throw new MalformedTextException(1, "there is no row of names");
    }
    if (new HashSet<>(Arrays.asList(names)).size() < names.length) {
      throw new MalformedTextException(
          line, "the row of names has one twice: " + Arrays.toString(names));
    }
    this.columns = new CsvColumns(List.of(names));
    this.keyColumn = column(keyField);
    this.timestampColumn = column(timestampField);
  }

  @Override
  public List<List<String>> columns() {
    return columns.paths();
  }

  private int column(String name) throws MalformedTextException {
    if (name.isEmpty()) {
      return -1;
    }
    int column = List.of(names).indexOf(name);
    if (column < 0) {
      throw new MalformedTextException(
          line, "no column is called " + name + ", but only " + Arrays.toString(names));
    }
    return column;
  }

  /** The next row; null after the last. */
  private String[] row() throws IOException {
    try {
      line = rows.getCurrentLocation().getLineNr();
      return rows.hasNextValue() ? rows.nextValue() : null;
    } catch (JsonProcessingException faulty) {
      throw new MalformedTextException(
          faulty.getLocation() == null ? line : faulty.getLocation().getLineNr(),
          "it is not CSV: " + faulty.getOriginalMessage());
    }
  }

  @Override
  public TextRecord next() throws IOException {
    String[] cells = row();
    if (cells == null) {
      return null;
    }
    if (cells.length > names.length) {
      throw new MalformedTextException(
          line, "the row has " + cells.length + " cells, but there are " + names.length + " names");
    }
    String keyText = cell(cells, keyColumn);
    byte[] key = keyText == null ? null : keyText.getBytes(StandardCharsets.UTF_8);
    String timestamp = cell(cells, timestampColumn);
    return new TextRecord(key, timestamp == null ? 0 : timestamp(timestamp), json(cells));
  }

  private static String cell(String[] cells, int column) {
    return column < 0 || column >= cells.length || cells[column].isEmpty() ? null : cells[column];
  }

  private long timestamp(String text) throws MalformedTextException {
    if (!CsvColumns.isNumber(text)) {
      throw noTimestamp(timestampField, text);
    }
    return timestamp(timestampField, new BigDecimal(text));
  }

  private byte[] json(String[] cells) throws IOException {
    buffer.reset();
    try (JsonGenerator out = JSON.createGenerator(buffer)) {
      columns.write(out, cells);
    }
    return buffer.toByteArray();
  }

  @Override
  public long line() {
    return line;
  }

  @Override
  public void close() throws IOException {
    rows.close();
  }
}
