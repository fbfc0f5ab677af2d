package dev.sotto.replay.recording.text;

import dev.sotto.replay.recording.RecordedRecord;
import java.io.Closeable;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** The records of a text file, of all partitions, in the order of the file. */
interface TextSource extends Closeable {
  /**
   * The next record; null at the end.
   *
   * @throws MalformedTextException where the file is not of its format
   * @throws IOException where it cannot be read
   */
  TextRecord next() throws IOException;

  /** The names of the columns, where the file states them before its records; otherwise none. */
  default List<String> columns() {
    return List.of();
  }

  /** The line on which the last record begins, from 1. */
  long line();

  /**
   * A record.
   *
   * @param offset in its partition
   * @param key may be null
   * @param timestamp in milliseconds since 1970; 0 where there is none
   */
  record TextRecord(long offset, byte[] key, long timestamp, byte[] value)
      implements RecordedRecord {
    private static final RecordHeaders NO_HEADERS = new RecordHeaders();

    static {
      NO_HEADERS.setReadOnly();
    }

    /** A record that has no partition yet. */
    TextRecord(byte[] key, long timestamp, byte[] value) {
      this(-1, key, timestamp, value);
    }

    TextRecord at(long newOffset) {
      return new TextRecord(newOffset, key, timestamp, value);
    }

    @Override
    public Headers headers() {
      return NO_HEADERS;
    }
  }

  /** A timestamp as text: whole milliseconds since 1970. */
  default long timestamp(String field, BigDecimal number) throws MalformedTextException {
    String unit = otherUnit(number);
    if (!unit.isEmpty()) {
      throw new MalformedTextException(
          line(),
          "the timestamp field " + field + " must be in milliseconds since 1970, but "
              + number.toPlainString() + " looks like " + unit);
    }
    if (number.signum() >= 0 && number.precision() - number.scale() <= 18) {
      try {
        return number.longValueExact();
      } catch (ArithmeticException fraction) {
        // It is refused below.
      }
    }
    throw noTimestamp(field, number.toString());
  }

  /**
   * The unit that a number is probably in instead, with what to write; empty where it may be in
   * milliseconds. In each unit it lies between 2001 and 2286, or 1973 and 5138 for the small ones.
   */
  private static String otherUnit(BigDecimal number) {
    int digits = number.signum() > 0 ? number.precision() - number.scale() : 0; // whole ones
    if (digits == 10) {
      return "seconds: write " + number.movePointRight(3).toBigInteger();
    }
    return digits >= 15 && digits <= 17
        ? "microseconds: write " + number.movePointLeft(3).toBigInteger()
        : digits >= 18 && digits <= 20
            ? "nanoseconds: write " + number.movePointLeft(6).toBigInteger()
            : "";
  }

  /** A timestamp field that is a text. */
  default MalformedTextException textTimestamp(String field, String found) {
    return new MalformedTextException(
        line(),
        "the timestamp field " + field + " must be a number of milliseconds since 1970, but was the"
            + " text \"" + found + "\""
            + (found.matches("[0-9]+") ? "; take the quotes away" : ""));
  }

  /** A timestamp field with another value. */
  default MalformedTextException noTimestamp(String field, String found) {
    return new MalformedTextException(
        line(),
        "the timestamp field " + field + " must be a number of milliseconds since 1970, but was "
            + found);
  }
}
