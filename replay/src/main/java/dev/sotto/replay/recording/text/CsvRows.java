package dev.sotto.replay.recording.text;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.sotto.serdes.text.SpecialBytes;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * Rows below a row of names (RFC 4180: double quotes, UTF-8; commas, semicolons, tabs or |, see
 * {@link CsvSeparator}); each becomes a JSON object by name, without what is not seen around names.
 * Each cell becomes the text that it is: whether that is a number, the learner's configuration
 * says. An empty cell is left out.
 */
final class CsvRows implements TextSource {
  private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);
  private static final byte QUOTE = '"';
  private static final byte BACKSLASH = '\\';
  private static final int LONGEST_ESCAPE = 6; // of one byte

  private final CsvCells cells;
  private final String timestampField;
  private final List<String> names = new ArrayList<>();
  private final Begin[] begins; // of the members of an object
  private final LongConsumer shortRows;
  private final long namesLine;
  private final int keyColumn;
  private final int timestampColumn;
  private byte[] json = new byte[1 << 10];
  private int size;

  /** A member of an object up to its text, with room behind it for {@link SpecialBytes#copy}. */
  private record Begin(byte[] bytes, int length) {}

  /**
   * Rows of a stream.
   *
   * @param keyField the name of a column; empty for none
   * @param timestampField the name of a column; empty for none
   * @param lineEnds the most in one cell; negative where none is stated
   * @param shortRows receives the line of each row that has fewer cells than there are names
   * @throws MalformedTextException where there is no row of names, or it lacks one of these
   */
  CsvRows(
      InputStream in, String keyField, String timestampField, int lineEnds, LongConsumer shortRows)
      throws IOException {
    this.shortRows = shortRows;
    InputStream text = new BufferedInputStream(new Utf8Stream(in));
    this.cells = new CsvCells(text, CsvSeparator.of(text), lineEnds);
    this.timestampField = timestampField;
    if (!cells.next() || namesTheSeparator() && !cells.next()) {
      throw new MalformedTextException(1, "there is no row of names");
    }
    for (int i = 0; i < cells.count(); i++) {
      names.add(seen(text(i)));
    }
    namesLine = cells.line();
    requireDifferent();
    cells.names(names.size());
    this.begins = names.stream().map(CsvRows::begin).toArray(Begin[]::new);
    this.keyColumn = column(keyField);
    this.timestampColumn = column(timestampField);
  }

  /** A name without what nobody sees around it: blanks of any kind, byte order marks and such. */
  private static String seen(String cell) {
    int from = 0;
    int to = cell.length();
    while (from < to && isUnseen(cell.charAt(from))) {
      from++;
    }
    while (from < to && isUnseen(cell.charAt(to - 1))) {
      to--;
    }
    return cell.substring(from, to);
  }

  private static boolean isUnseen(char each) {
    return Character.isWhitespace(each)
        || Character.isSpaceChar(each)
        || Character.getType(each) == Character.FORMAT;
  }

  /** Whether a row is {@code sep=;}, which tells Excel what stands between cells. */
  private boolean namesTheSeparator() {
    return cells.count() == 2 && text(0).equalsIgnoreCase("sep=") && text(1).isEmpty();
  }

  /** Columns without a name may be several: nothing can ask for them. */
  private void requireDifferent() throws MalformedTextException {
    Map<String, Integer> columns = new HashMap<>();
    for (int i = 0; i < names.size(); i++) {
      Integer first = columns.putIfAbsent(names.get(i), i);
      if (first != null && !names.get(i).isEmpty()) {
        throw new MalformedTextException(
            line(),
            "the row of names has one twice: \"" + names.get(i) + "\", in columns " + (first + 1)
                + " and " + (i + 1));
      }
    }
  }

  private static Begin begin(String name) {
    String quoted = new String(JsonStringEncoder.getInstance().quoteAsString(name));
    byte[] bytes = (",\"" + quoted + "\":\"").getBytes(StandardCharsets.UTF_8);
    return new Begin(Arrays.copyOf(bytes, bytes.length + Long.BYTES), bytes.length);
  }

  @Override
  public List<String> columns() {
    return List.copyOf(names);
  }

  private int column(String name) throws MalformedTextException {
    if (name.isEmpty()) {
      return -1;
    }
    int column = names.indexOf(name);
    if (column < 0) {
      throw new MalformedTextException(
          line(), "no column is called " + name + ", but only " + names);
    }
    return column;
  }

  @Override
  public TextRecord next() throws IOException {
    if (!cells.next()) {
      return null;
    }
    if (cells.count() > names.size()) {
      throw tooMany();
    }
    if (cells.count() < names.size()) {
      shortRows.accept(line());
    }
    byte[] key = isThere(keyColumn)
        ? Arrays.copyOfRange(cells.text(), cells.start(keyColumn), cells.end(keyColumn))
        : null;
    long timestamp = isThere(timestampColumn) ? timestamp(text(timestampColumn)) : 0;
    return new TextRecord(key, timestamp, object());
  }

  private MalformedTextException tooMany() {
    int last = cells.count() - 1;
    return new MalformedTextException(
        line(),
        "the row has " + cells.count() + " cells, but there "
            + (names.size() == 1 ? "is 1 name" : "are " + names.size() + " names")
            + " in line " + namesLine
            + (last == names.size() && text(last).isBlank()
                ? "; take away the separator at the end of rows, or put one behind the names"
                : "; the first row must name every column, and what a cell has of separators must"
                    + " stand in quotes"));
  }

  private boolean isThere(int column) {
    return column >= 0 && column < cells.count() && cells.start(column) < cells.end(column);
  }

  private String text(int column) {
    int from = cells.start(column);
    return new String(cells.text(), from, cells.end(column) - from, StandardCharsets.UTF_8);
  }

  private long timestamp(String text) throws MalformedTextException {
    try {
      return timestamp(timestampField, new BigDecimal(text.strip()));
    } catch (NumberFormatException none) {
      throw noTimestamp(timestampField, text);
    }
  }

  private byte[] object() {
    int from = cells.start(0);
    int to = cells.end(cells.count() - 1);
    boolean plain = SpecialBytes.first(cells.text(), from, to, QUOTE, BACKSLASH) == to;
    return plain ? plainObject() : escapedObject();
  }

  /** Of a row of which nothing has to be escaped. */
  private byte[] plainObject() {
    int length = 1;
    for (int i = 0; i < cells.count(); i++) {
      int text = cells.end(i) - cells.start(i);
      length += text > 0 ? begins[i].length() + text + 1 : 0;
    }
    byte[] object = new byte[Math.max(length, 2)];
    int at = 0;
    for (int i = 0; i < cells.count(); i++) {
      int text = cells.end(i) - cells.start(i);
      if (text > 0) {
        SpecialBytes.copy(begins[i].bytes(), 0, object, at, begins[i].length());
        at += begins[i].length();
        SpecialBytes.copy(cells.text(), cells.start(i), object, at, text);
        at += text;
        object[at++] = '"';
      }
    }
    object[0] = '{'; // in the place of the first comma
    object[object.length - 1] = '}';
    return object;
  }

  private byte[] escapedObject() {
    size = 0;
    for (int i = 0; i < cells.count(); i++) {
      int from = cells.start(i);
      int length = cells.end(i) - from;
      if (length > 0) {
        int begin = begins[i].length();
        room(Math.addExact(begin + 1, Math.multiplyExact(length, LONGEST_ESCAPE)));
        SpecialBytes.copy(begins[i].bytes(), 0, json, size, begin);
        size += begin;
        escaped(cells.text(), from, from + length);
        json[size++] = '"';
      }
    }
    room(2);
    json[0] = '{'; // in the place of the first comma
    size = Math.max(size, 1);
    json[size++] = '}';
    return Arrays.copyOf(json, size);
  }

  private void room(int more) {
    int wanted = Math.addExact(size, more);
    if (wanted > json.length) {
      json = Arrays.copyOf(json, (int) Math.max(wanted, Math.min(2L * json.length, 1 << 30)));
    }
  }

  private void escaped(byte[] text, int from, int to) {
    int at = from;
    while (true) {
      int special = SpecialBytes.first(text, at, to, QUOTE, BACKSLASH);
      SpecialBytes.copy(text, at, json, size, special - at);
      size += special - at;
      if (special == to) {
        return;
      }
      at = special + 1;
      byte each = text[special];
      if (each >= 0 && each < ' ') {
        control(each);
      } else {
        if (each == QUOTE || each == BACKSLASH) {
          json[size++] = '\\';
        }
        json[size++] = each;
      }
    }
  }

  private void control(byte each) {
    json[size++] = '\\';
    switch (each) {
      case '\n' -> json[size++] = 'n';
      case '\r' -> json[size++] = 'r';
      case '\t' -> json[size++] = 't';
      default -> {
        json[size++] = 'u';
        json[size++] = '0';
        json[size++] = '0';
        json[size++] = HEX[each >> 4];
        json[size++] = HEX[each & 15];
      }
    }
  }

  @Override
  public long line() {
    return cells.line();
  }

  @Override
  public void close() throws IOException {
    cells.close();
  }
}
