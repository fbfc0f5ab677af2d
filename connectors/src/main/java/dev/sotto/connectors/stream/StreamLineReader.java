package dev.sotto.connectors.stream;

import dev.sotto.serdes.text.LineReader;
import dev.sotto.serdes.text.LineTooLongException;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import org.apache.kafka.connect.errors.ConnectException;

/** The lines of a file from a position on; see {@link LineReader} for what a line is. */
final class StreamLineReader implements Closeable {
  private final String name;
  private final int maxLineBytes;
  private final LineReader lines;

  /**
   * Goes to a position.
   *
   * @throws ConnectException if no line begins there
   */
  StreamLineReader(String name, InputStream in, FilePosition from, int maxLineBytes)
      throws IOException {
    this.name = name;
    this.maxLineBytes = maxLineBytes;
    if (from.knowsBytes()) {
      int before = skip(in, from.bytes());
      lines = new LineReader(in, maxLineBytes, from.line(), from.bytes());
      if (before < 0 || before != '\n' && !lines.isAtEnd()) {
        throw new ConnectException(
            "byte must be where a line of " + name + " begins, but was " + from.bytes());
      }
    } else {
      lines = new LineReader(in, maxLineBytes, 0, 0);
      while (lines.lines() < from.line()) {
        if (next() == null) {
          throw new ConnectException("line must be at most the " + lines.lines() + " lines of "
              + name + ", but was " + from.line());
        }
      }
    }
  }

  /** Skips bytes; the last of them, -1 where it is missing, a line feed before the first line. */
  private int skip(InputStream in, long bytes) throws IOException {
    if (bytes == 0) {
      return '\n';
    }
    try {
      in.skipNBytes(bytes - 1);
      return in.read();
    } catch (EOFException tooFar) {
      throw new ConnectException(
          "byte must be at most the uncompressed size of " + name + ", but was " + bytes, tooFar);
    }
  }

  /**
   * The next line, or null at the end.
   *
   * @throws ConnectException if it is longer than allowed; reading cannot go on then
   */
  byte[] next() throws IOException {
    try {
      return lines.next();
    } catch (LineTooLongException tooLong) {
      throw new ConnectException(
          RecordedStreamConfig.MAX_LINE_BYTES + " must be at least the length of every line,"
              + " but was " + maxLineBytes + ", and line " + lines.lines() + " of " + name
              + " is longer",
          tooLong);
    }
  }

  /** The position after the last line that was returned. */
  FilePosition position() {
    return new FilePosition(lines.lines(), lines.position());
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
