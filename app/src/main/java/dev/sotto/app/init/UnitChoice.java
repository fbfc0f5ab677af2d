package dev.sotto.app.init;

/**
 * Whose contribution is to be hidden.
 *
 * @param field the path of the field with the unit's id; null unless there is one
 */
public record UnitChoice(Kind kind, String field) {
  /** What a unit is. */
  public enum Kind {
    /** Nobody has said it. */
    NOT_STATED,
    /** Each record by itself. */
    RECORD,
    /** All records with one key. */
    KEY,
    /** All records with one value of a field. */
    FIELD
  }

  /** Nobody has said it. */
  public static final UnitChoice NOT_STATED = new UnitChoice(Kind.NOT_STATED, null);
  /** Each record by itself. */
  public static final UnitChoice RECORD = new UnitChoice(Kind.RECORD, null);
  /** All records with one key. */
  public static final UnitChoice KEY = new UnitChoice(Kind.KEY, null);

  /** All records with one value of a field. */
  public static UnitChoice field(String path) {
    return new UnitChoice(Kind.FIELD, path);
  }
}
