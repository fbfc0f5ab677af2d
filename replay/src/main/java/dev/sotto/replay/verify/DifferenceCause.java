package dev.sotto.replay.verify;

import java.util.List;

/**
 * Why a replay differs, as far as it is known.
 *
 * @param kind where to look
 * @param text in one sentence, without the values
 * @param values what differs, with both values; empty where there is nothing to show
 */
public record DifferenceCause(Kind kind, String text, List<FieldDifference> values) {
  /** Where a difference comes from. */
  public enum Kind {
    /** Another noise key. */
    KEY,
    /** Another configuration. */
    CONFIGURATION,
    /** Another version of the arithmetic. */
    VERSION,
    /** Another run label or model id. */
    RUN,
    /** Other records, or records that are missing. */
    INPUT,
    /** None of the above: the program itself, or the machine. */
    UNKNOWN
  }

  public DifferenceCause {
    values = List.copyOf(values);
  }

  static DifferenceCause of(Kind kind, String text, FieldDifference... values) {
    return new DifferenceCause(kind, text, List.of(values));
  }
}
