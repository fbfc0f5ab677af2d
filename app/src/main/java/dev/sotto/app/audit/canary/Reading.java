package dev.sotto.app.audit.canary;

/** What the auditor gets to see of a run. */
public enum Reading {
  /** What is committed: the whole transcript of one history. */
  COMMITTED(1),
  /** Every round was aborted and done again, so that there are 16 attempts of each, and all of them are seen. */
  RETRIES(16),
  /** The committed transcript, and that of a second history under the same key, in which no canary is. */
  TWO_HISTORIES(1);

  private final int attempts;

  Reading(int attempts) {
    this.attempts = attempts;
  }

  /** How often a round is done. */
  public int attempts() {
    return attempts;
  }
}
