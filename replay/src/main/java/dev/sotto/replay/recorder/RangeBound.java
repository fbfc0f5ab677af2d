package dev.sotto.replay.recorder;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** One end of the range that is recorded, for every partition. */
public sealed interface RangeBound {
  /** The first offset that is still held. */
  record Earliest() implements RangeBound {
    @Override
    public String toString() {
      return "earliest";
    }
  }

  /** After the last committed record. */
  record Latest() implements RangeBound {
    @Override
    public String toString() {
      return "latest";
    }
  }

  /**
   * This offset of every partition.
   *
   * @param offset at least 0
   */
  record Offset(long offset) implements RangeBound {
    @Override
    public String toString() {
      return Long.toString(offset);
    }
  }

  /**
   * An offset for each partition.
   *
   * @param offsets by partition, at least 0
   */
  record Offsets(Map<Integer, Long> offsets) implements RangeBound {
    public Offsets {
      offsets = Map.copyOf(offsets);
    }

    @Override
    public String toString() {
      StringBuilder text = new StringBuilder();
      new TreeMap<>(offsets)
          .forEach((partition, offset) -> text.append(text.isEmpty() ? "" : ",")
              .append(partition)
              .append(':')
              .append(offset));
      return text.toString();
    }
  }

  /**
   * The first record that was written at a time or later; where there is none, after the last one.
   */
  record Time(Instant time) implements RangeBound {
    @Override
    public String toString() {
      return time.toString();
    }
  }

  /**
   * Reads {@code earliest}, {@code latest}, an offset, {@code P:OFFSET,P:OFFSET}, or a time as in
   * {@code 2026-01-31T12:00:00Z}.
   *
   * @throws IllegalArgumentException where it is none of these
   */
  static RangeBound of(String text) {
    if (text.equals("earliest")) {
      return new Earliest();
    }
    if (text.equals("latest")) {
      return new Latest();
    }
    if (Pattern.matches("[0-9]{1,18}", text)) {
      return new Offset(Long.parseLong(text));
    }
    if (Pattern.matches("[0-9]{1,9}:[0-9]{1,18}(,[0-9]{1,9}:[0-9]{1,18})*", text)) {
      return new Offsets(offsets(text));
    }
    try {
      return new Time(Instant.parse(text));
    } catch (DateTimeParseException none) {
      throw new IllegalArgumentException(
          "an end of a range must be earliest, latest, an offset, offsets by partition as in"
              + " 0:1200,1:900, or a time as in 2026-01-31T12:00:00Z, but was " + text,
          none);
    }
  }

  private static Map<Integer, Long> offsets(String text) {
    Map<Integer, Long> offsets = new TreeMap<>();
    for (String each : text.split(",")) {
      int colon = each.indexOf(':');
      int partition = Integer.parseInt(each.substring(0, colon));
      if (offsets.put(partition, Long.parseLong(each.substring(colon + 1))) != null) {
        throw new IllegalArgumentException(
            "partition " + partition + " has two offsets in " + text);
      }
    }
    return offsets;
  }
}
