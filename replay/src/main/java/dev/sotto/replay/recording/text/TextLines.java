package dev.sotto.replay.recording.text;

import dev.sotto.serdes.text.LineReader;
import dev.sotto.serdes.text.LineTooLongException;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** The lines of a text file that are not blank; they end with LF or CR LF. */
final class TextLines implements Closeable {
  private static final int MAX_BYTES = 1 << 26;

  private final LineReader lines;

  TextLines(InputStream in) {
    this.lines = new LineReader(in, MAX_BYTES, 0, 0);
  }

  /** The next line without its end; null after the last. */
  byte[] next() throws IOException {
    try {
      for (byte[] line = lines.next(); line != null; line = lines.next()) {
        int length = line.length;
        if (length > 0 && line[length - 1] == '\r') {
          line = Arrays.copyOf(line, length - 1);
        }
        if (!isBlank(line)) {
          return line;
        }
      }
      return null;
    } catch (LineTooLongException tooLong) {
      throw new MalformedTextException(number() + 1, tooLong.getMessage() + "; is it a text file?");
    }
  }

  private static boolean isBlank(byte[] line) {
    for (byte each : line) {
      if (each != ' ' && each != '\t') {
        return false;
      }
    }
    return true;
  }

  /** The number of the last line, from 1. */
  long number() {
    return lines.lines();
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
