package dev.sotto.replay.recording.text;

import java.math.BigDecimal;

/** Timestamps in text: whole milliseconds since 1970. */
final class Timestamps {
  private Timestamps() {}

  static long of(BigDecimal number, long line, String field) throws FaultyText {
    if (number.signum() >= 0 && number.precision() - number.scale() <= 18) {
      try {
        return number.longValueExact();
      } catch (ArithmeticException fraction) {
        // Said below.
      }
    }
    throw faulty(line, field, number.toString());
  }

  static FaultyText faulty(long line, String field, String found) {
    return new FaultyText(
        line,
        "the timestamp field " + field + " must be a number of milliseconds since 1970, but was "
            + found);
  }
}
