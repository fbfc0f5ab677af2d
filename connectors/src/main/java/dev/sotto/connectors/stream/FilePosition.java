package dev.sotto.connectors.stream;

import java.util.Map;
import org.apache.kafka.connect.errors.ConnectException;

/**
 * How far a file has been played; the source offset of its last line.
 *
 * @param line lines done, which is the index of the next one
 * @param bytes where the next line begins in the uncompressed bytes; -1: not known, to be found by
 *     counting lines
 */
record FilePosition(long line, long bytes) {
  static final String LINE = "line";
  static final String BYTE = "byte";
  static final FilePosition START = new FilePosition(0, 0);
  private static final long UNKNOWN = -1;

  /**
   * The position of a stored or handed-in source offset.
   *
   * @param offset null for none yet; {@code byte} may be left out
   * @throws ConnectException with name, rule and value of what does not fit
   */
  static FilePosition of(Map<String, ?> offset) {
    if (offset == null) {
      return START;
    }
    for (String name : offset.keySet()) {
      if (!name.equals(LINE) && !name.equals(BYTE)) {
        throw new ConnectException("a source offset must have line and byte only, but had " + name);
      }
    }
    long line = count(LINE, offset.get(LINE));
    return new FilePosition(
        line, offset.containsKey(BYTE) ? count(BYTE, offset.get(BYTE)) : UNKNOWN);
  }

  /** The beginning of a line that must be looked for. */
  static FilePosition atLine(long line) {
    return new FilePosition(line, UNKNOWN);
  }

  private static long count(String name, Object value) {
    boolean whole = value instanceof Long || value instanceof Integer;
    if (!whole || ((Number) value).longValue() < 0) {
      throw new ConnectException(name + " must be a whole number of at least 0, but was " + value);
    }
    return ((Number) value).longValue();
  }

  boolean knowsBytes() {
    return bytes != UNKNOWN;
  }

  Map<String, Long> offset() {
    return Map.of(LINE, line, BYTE, bytes);
  }
}
