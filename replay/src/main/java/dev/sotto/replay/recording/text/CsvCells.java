package dev.sotto.replay.recording.text;

import dev.sotto.serdes.text.SpecialBytes;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * The cells of one row after the other (RFC 4180), as bytes. A quote within a cell that does not
 * begin with one is part of it. A quote that was never meant to open a cell swallows the rows up to
 * the next one: a quoted cell with more line ends than allowed is refused, and unless a number was
 * stated so is one with a whole line that has as many separators as a row. One separator alone, as
 * prose easily has it, must have text right behind it.
 */
final class CsvCells implements Closeable {
  /** The line ends that a quoted cell may hold, where no other number is stated. */
  static final int LINE_ENDS = 5;

  private static final int TABLE = 3; // a line of prose has one comma easily, and a blank behind it
  private static final int END = -1;

  private final InputStream in;
  private final byte separator;
  private final int mostLineEnds;
  private final boolean stated;
  private byte[] buffer = new byte[1 << 16];
  private int at;
  private int limit;
  private int row; // where the row begins
  private long line = 1;
  private long rowLine;
  private int names;
  private int[] starts = new int[16];
  private int[] ends = new int[16];
  private int count; // of cells that have ended

  /**
   * Cells of a stream.
   *
   * @param mostLineEnds in one cell; negative for {@link #LINE_ENDS}
   */
  CsvCells(InputStream in, char separator, int mostLineEnds) {
    this.in = in;
    this.separator = (byte) separator;
    this.stated = mostLineEnds >= 0;
    this.mostLineEnds = stated ? mostLineEnds : LINE_ENDS;
  }

  /** Says how many cells a row has. */
  void names(int number) {
    names = number;
  }

  /** The line on which the row begins, from 1. */
  long line() {
    return rowLine;
  }

  /** The number of cells of the row. */
  int count() {
    return count;
  }

  /** The buffer that holds the cells, each between {@link #start} and {@link #end}. */
  byte[] text() {
    return buffer;
  }

  int start(int cell) {
    return starts[cell];
  }

  int end(int cell) {
    return ends[cell];
  }

  /** Goes to the next row that is not blank; false after the last. */
  boolean next() throws IOException {
    do {
      count = 0;
      row = at;
      rowLine = line;
      if (peek() == END) {
        return false;
      }
      boolean more = true;
      while (more) {
        begin();
        more = peek() == '"' ? quoted() : plain();
        count++;
      }
    } while (count == 1 && isBlank());
    return true;
  }

  private void begin() {
    if (count == ends.length) {
      starts = Arrays.copyOf(starts, 2 * count);
      ends = Arrays.copyOf(ends, 2 * count);
    }
    starts[count] = at;
    ends[count] = at;
  }

  private boolean isBlank() {
    for (int i = starts[0]; i < ends[0]; i++) {
      if (buffer[i] != ' ' && buffer[i] != '\t') {
        return false;
      }
    }
    return true;
  }

  private int peek() throws IOException {
    if (at == limit) {
      fill();
    }
    return at == limit ? END : buffer[at];
  }

  /** Reads on, behind the row, which moves to the beginning of the buffer. */
  private void fill() throws IOException {
    System.arraycopy(buffer, row, buffer, 0, limit - row);
    for (int i = 0; i <= count && i < ends.length; i++) {
      starts[i] -= row;
      ends[i] -= row;
    }
    at -= row;
    limit -= row;
    row = 0;
    if (limit == buffer.length) {
      buffer = Arrays.copyOf(buffer, Math.multiplyExact(2, limit));
    }
    limit += Math.max(0, in.read(buffer, limit, buffer.length - limit));
  }

  /** Moves bytes to the end of a cell in quotes: nearer, where quotes in it are written twice. */
  private void append(int from, int to) {
    if (from > ends[count]) {
      System.arraycopy(buffer, from, buffer, ends[count], to - from);
    }
    ends[count] += to - from;
  }

  /** Reads a cell without quotes; whether another one follows. */
  private boolean plain() throws IOException {
    while (peek() != END) {
      at = SpecialBytes.first(buffer, at, limit, separator, separator);
      if (at < limit) {
        byte next = buffer[at];
        if (next == separator || next == '\n' || next == '\r') {
          ends[count] = at;
          return isFollowed();
        }
        at++;
      }
    }
    ends[count] = at;
    return false;
  }

  /** Reads what stands behind a cell: whether that is a separator, and no line end. */
  private boolean isFollowed() throws IOException {
    byte next = buffer[at++];
    if (next == separator) {
      return true;
    }
    if (next == '\r' && peek() == '\n') {
      at++;
    }
    line++;
    return false;
  }

  /** Reads a cell in quotes; whether another one follows. */
  private boolean quoted() throws IOException {
    long opened = line;
    int lineEnds = 0;
    int separators = 0;
    boolean behind = false; // a separator
    boolean prose = false; // whether a blank, or nothing, stands behind one in this line
    at++;
    begin();
    while (peek() != END) {
      int from = at;
      byte next = 0;
      while (at < limit) {
        next = buffer[at++];
        if (next == '"' || next == '\n' || next == '\r') {
          break;
        }
        separators += next == separator ? 1 : 0;
        prose |= behind && (next == ' ' || next == '\t');
        behind = next == separator;
      }
      boolean quote = next == '"';
      append(from, quote ? at - 1 : at);
      behind &= !quote;
      if (next == '\n' || next == '\r' && peek() != '\n') {
        boolean row =
            separators == names - 1 && (names >= TABLE || names == 2 && !prose && !behind);
        check(opened, lineEnds, row);
        line++;
        lineEnds++;
        separators = 0;
        prose = false;
        behind = false;
      } else if (quote && peek() == '"') {
        append(at, at + 1);
        at++;
      } else if (quote) {
        return isFollowedAfterQuote(opened);
      }
    }
    throw new MalformedTextException(
        opened,
        "the quote that opens a cell there is never closed; where it belongs to the text, write the"
            + " cell in quotes and this one twice (\"bar 12\"\"\")");
  }

  /** A line end within a cell, behind what may look like a row. */
  private void check(long opened, int lineEnds, boolean row) throws MalformedTextException {
    if (lineEnds == mostLineEnds) {
      throw swallows(opened, "more than " + mostLineEnds + " line ends");
    }
    if (!stated && lineEnds > 0 && row) {
      throw swallows(opened, "line " + line + ", which looks like a row");
    }
  }

  private static MalformedTextException swallows(long opened, String what) {
    return new MalformedTextException(
        opened,
        "the cell that a quote opens there holds " + what + ", so rows may be lost in it. If the"
            + " quote belongs to the text, write the cell in quotes and this one twice; if the cell"
            + " is meant, allow its line ends with --cell-lines N");
  }

  private boolean isFollowedAfterQuote(long opened) throws IOException {
    while (peek() == ' ' || peek() == '\t' && separator != '\t') {
      at++;
    }
    int next = peek();
    if (next == END) {
      return false;
    }
    if (next != separator && next != '\n' && next != '\r') {
      throw new MalformedTextException(
          line,
          "text stands after the end of a cell in quotes"
              + (opened < line ? ", which began in line " + opened : "")
              + "; a quote within such a cell is written twice");
    }
    return isFollowed();
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
