package dev.sotto.learner.mechanism;

/** What an algorithm receives of a round or a query, and an observer can know. */
public enum Released {
  /** A sum over several rounds or queries. */
  PREFIX,
  /** The answer of one query. */
  ANSWER,
  /** The average of a path, whose public beginning is known. */
  AVERAGE
}
