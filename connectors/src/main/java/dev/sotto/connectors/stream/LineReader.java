package dev.sotto.connectors.stream;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.apache.kafka.connect.errors.ConnectException;

/**
 * The lines of a stream as bytes, one after another. A line ends at a line feed, which is not part
 * of it; the last one may lack it. Everything else is: an empty line is a line, and a carriage
 * return belongs to its line.
 */
final class LineReader implements Closeable {
  private static final int BUFFER = 1 << 16;

  private final String name;
  private final InputStream in;
  private final int maxLineBytes;
  private final byte[] buffer = new byte[BUFFER];
  private int start;
  private int end;
  private long line;
  private long position;

  /**
   * Goes to a position.
   *
   * @throws ConnectException if no line begins there
   */
  LineReader(String name, InputStream in, Position from, int maxLineBytes) throws IOException {
    this.name = name;
    this.in = in;
    this.maxLineBytes = maxLineBytes;
    if (from.knowsBytes()) {
      jump(from);
    } else {
      count(from.line());
    }
  }

  private void jump(Position to) throws IOException {
    try {
      if (to.bytes() > 0) {
        in.skipNBytes(to.bytes() - 1);
        int before = in.read();
        fill();
        boolean atEnd = start == end;
        if (before < 0 || before != '\n' && !atEnd) {
          throw new ConnectException(
              "byte must be where a line of " + name + " begins, but was " + to.bytes());
        }
      }
    } catch (EOFException tooFar) {
      throw new ConnectException(
          "byte must be at most the uncompressed size of " + name + ", but was " + to.bytes(),
          tooFar);
    }
    line = to.line();
    position = to.bytes();
  }

  private void count(long lines) throws IOException {
    while (line < lines) {
      if (next() == null) {
        throw new ConnectException(
            "line must be at most the " + line + " lines of " + name + ", but was " + lines);
      }
    }
  }

  /**
   * The next line, or null at the end.
   *
   * @throws ConnectException if it is longer than allowed; there is no way on then
   */
  byte[] next() throws IOException {
    ByteArrayOutputStream before = null; // what the line has in earlier buffers
    while (true) {
      if (start == end && !fill()) {
        return before == null ? null : done(before.toByteArray(), 0);
      }
      int feed = feed();
      int stop = feed < 0 ? end : feed;
      if ((before == null ? 0 : before.size()) + (long) (stop - start) > maxLineBytes) {
        throw new ConnectException(
            RecordedStreamConfig.MAX_LINE_BYTES + " must be at least the length of every line,"
                + " but was " + maxLineBytes + ", and line " + line + " of " + name + " is longer");
      }
      if (feed >= 0 && before == null) {
        byte[] whole = Arrays.copyOfRange(buffer, start, feed);
        start = feed + 1;
        return done(whole, 1);
      }
      before = before == null ? new ByteArrayOutputStream(BUFFER) : before;
      before.write(buffer, start, stop - start);
      start = feed < 0 ? end : feed + 1;
      if (feed >= 0) {
        return done(before.toByteArray(), 1);
      }
    }
  }

  private byte[] done(byte[] whole, int feeds) {
    line++;
    position += whole.length + feeds;
    return whole;
  }

  private int feed() {
    for (int i = start; i < end; i++) {
      if (buffer[i] == '\n') {
        return i;
      }
    }
    return -1;
  }

  private boolean fill() throws IOException {
    start = 0;
    end = Math.max(0, in.read(buffer, 0, buffer.length));
    return end > 0;
  }

  /** After the last line that was given out. */
  Position position() {
    return new Position(line, position);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
