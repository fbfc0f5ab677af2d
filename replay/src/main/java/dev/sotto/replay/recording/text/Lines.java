package dev.sotto.replay.recording.text;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Lines of bytes, with their numbers; they end with LF or CR LF. */
final class Lines implements Closeable {
  private static final int MOST = 1 << 26;

  private final InputStream in;
  private final byte[] buffer = new byte[1 << 16];
  private int at;
  private int end;
  private byte[] line = new byte[1 << 10];
  private int length;
  private long number;

  Lines(InputStream in) {
    this.in = in;
  }

  /** The next line that is not blank, without its end; null behind the last. */
  byte[] next() throws IOException {
    while (read()) {
      for (int i = 0; i < length; i++) {
        if (line[i] != ' ' && line[i] != '\t') {
          return Arrays.copyOf(line, length);
        }
      }
    }
    return null;
  }

  /** Its number, from 1. */
  long number() {
    return number;
  }

  private boolean read() throws IOException {
    length = 0;
    number++;
    while (true) {
      if (at == end) {
        at = 0;
        end = Math.max(0, in.read(buffer));
        if (end == 0) {
          trim();
          return length > 0;
        }
      }
      int from = at;
      while (at < end && buffer[at] != '\n') {
        at++;
      }
      append(from, at);
      if (at < end) {
        at++;
        trim();
        return true;
      }
    }
  }

  private void trim() {
    if (length > 0 && line[length - 1] == '\r') {
      length--;
    }
  }

  private void append(int from, int to) throws IOException {
    int longer = length + to - from;
    if (longer > MOST) {
      throw new FaultyText(number, "it is longer than " + MOST + " bytes; is it a text file?");
    }
    if (longer > line.length) {
      line = Arrays.copyOf(line, Math.max(longer, 2 * line.length));
    }
    System.arraycopy(buffer, from, line, length, to - from);
    length = longer;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
