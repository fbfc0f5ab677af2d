package dev.sotto.serdes.text;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Reads the lines of a stream as bytes. A line ends at a line feed, which is not part of it; the
 * last line may lack it. Every other byte belongs to a line, and an empty line is a line.
 */
public final class LineReader implements Closeable {
  private final InputStream in;
  private final int maxBytes;
  private final byte[] buffer = new byte[1 << 16];
  private int at;
  private int end;
  private byte[] line = new byte[1 << 10];
  private int length;
  private long lines;
  private long position;

  /**
   * Reads from where a line begins.
   *
   * @param maxBytes of a line
   * @param lines number of lines before
   * @param position number of bytes before
   */
  public LineReader(InputStream in, int maxBytes, long lines, long position) {
    this.in = in;
    this.maxBytes = maxBytes;
    this.lines = lines;
    this.position = position;
  }

  /** The number of lines up to here, those before the beginning included. */
  public long lines() {
    return lines;
  }

  /** The position of the next line in bytes. */
  public long position() {
    return position;
  }

  /** Whether there is no further line. */
  public boolean isAtEnd() throws IOException {
    if (at == end) {
      at = 0;
      end = Math.max(0, in.read(buffer));
    }
    return at == end;
  }

  /**
   * The next line; null after the last.
   *
   * @throws LineTooLongException where it is longer than allowed; reading cannot go on then
   */
  public byte[] next() throws IOException {
    length = 0;
    boolean found = false;
    while (!found && !isAtEnd()) {
      int from = at;
      while (at < end && buffer[at] != '\n') {
        at++;
      }
      append(from, at);
      found = at < end;
      at += found ? 1 : 0;
    }
    if (!found && length == 0) {
      return null;
    }
    lines++;
    position += length + (found ? 1 : 0);
    return Arrays.copyOf(line, length);
  }

  private void append(int from, int to) throws LineTooLongException {
    long longer = (long) length + to - from;
    if (longer > maxBytes) {
      throw new LineTooLongException(maxBytes);
    }
    if (longer > line.length) {
      line = Arrays.copyOf(line, (int) Math.min(maxBytes, Math.max(longer, 2L * line.length)));
    }
    System.arraycopy(buffer, from, line, length, to - from);
    length = (int) longer;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
