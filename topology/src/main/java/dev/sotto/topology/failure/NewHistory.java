package dev.sotto.topology.failure;

import dev.sotto.learner.release.Releaser;

/**
 * What messages say where a model cannot go on. A second history of the same or nearly the same
 * records needs noise of its own and a budget that holds what the first has spent (docs/privacy.md,
 * "A second history").
 */
public final class NewHistory {
  /** What to do and all that it takes, from the verb to before the full stop. */
  public static final String START = "start a new app.id, with another run.label, and with"
      + " privacy.spent.mu set to the mu of the old ledger's last entry (its limit, where that run"
      + " may go on), or with start.from, which keeps what was learned and carries that mu itself"
      + " (docs/warm-start.md)";

  /** What to do where the noise key of what was learned is not among those that are given. */
  public static final String OLD_KEY =
      "put the old key back, or, to rotate the key, list it under noise.key.previous.files";

  private NewHistory() {}

  /**
   * Why what another version of this program wrote is refused, and what to do.
   *
   * @param what the beginning of the sentence
   * @param semantics version that it was written by
   */
  public static String otherSemantics(String what, int semantics) {
    return what + " was written by semantics version " + semantics + ", this program has "
        + Releaser.SEMANTICS + ". Run the version of Sotto that wrote it, or " + START;
  }
}
