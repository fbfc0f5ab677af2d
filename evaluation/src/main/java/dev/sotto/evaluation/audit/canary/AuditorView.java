package dev.sotto.evaluation.audit.canary;

/** What the auditor gets to see of a run. */
public enum AuditorView {
  /** What is committed: the whole transcript of one history. */
  COMMITTED(1),
  /** All of 16 attempts of each round, of which the last is committed. */
  RETRIES(16),
  /** The committed transcript, and that of a second history under the key, without canaries. */
  TWO_HISTORIES(1);

  private final int attempts;

  AuditorView(int attempts) {
    this.attempts = attempts;
  }

  /** How often a round is done. */
  public int attempts() {
    return attempts;
  }
}
