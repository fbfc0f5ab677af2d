package dev.sotto.learner.description;

/**
 * A column that people see.
 *
 * @param id of the fact in each row
 * @param label the heading
 */
public record Column(String id, String label, Format format) {
  /** How values are written for people. */
  public enum Format {
    /** As they are. */
    TEXT,
    /** Rounded up. */
    NUMBER,
    /** Bytes with a unit. */
    BYTES,
    /** Whole numbers in full; where there is none, {@code limit}. */
    LIMIT
  }

  /** Texts, and whole numbers in full. */
  public static Column text(String id, String label) {
    return new Column(id, label, Format.TEXT);
  }

  /** Figures, which are rounded up. */
  public static Column number(String id, String label) {
    return new Column(id, label, Format.NUMBER);
  }

  /** Numbers of rounds; none for an endless stream. */
  public static Column rounds(String id, String label) {
    return new Column(id, label, Format.LIMIT);
  }

  /** Numbers of bytes. */
  public static Column bytes(String id, String label) {
    return new Column(id, label, Format.BYTES);
  }
}
