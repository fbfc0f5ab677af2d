package dev.sotto.evaluation.audit.neighbour;

/** What becomes of a record's content; its coordinates stay. */
enum Change {
  /** Another one that can be read. */
  OTHER,
  /** Nothing. */
  EMPTIED,
  /** Bytes of no format. */
  GARBAGE,
  /** The first half of its bytes. */
  CUT,
  /** Fields that are missing, of wrong types, or not finite. */
  WRONG,
  /** More than waits for a label, and less than the largest value that is read by default. */
  LARGE,
  /** More than is read by default. */
  HUGE,
  /** Headers whose names are not ASCII, that have no value, and very many. */
  HEADERS,
  /** A key that nothing is read from: none, an empty or a large one. */
  KEY,
  /** An id of a schema that is missing, unusable, not registered yet, or refused. */
  SCHEMA
}
