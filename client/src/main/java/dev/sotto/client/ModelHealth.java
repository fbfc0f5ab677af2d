package dev.sotto.client;

/**
 * How it stands with a {@link LiveModel}.
 *
 * @param state in a word
 * @param text what happened, and what stays in place; for people
 */
public record ModelHealth(State state, String text) {
  /** In a word. */
  public enum State {
    /** It has just been opened, and looks for the version. */
    SEARCHING,
    /** There is no version yet; it goes on looking. */
    WAITING,
    /** The current model is what was asked for. */
    CURRENT,
    /** The version or alias that was asked for is not there, such as one that retention took. */
    MISSING,
    /** What came last cannot be used; the last verified version stays in place. */
    DAMAGED,
    /** The topics cannot be read at the moment; it tries again. */
    UNREACHABLE
  }
}
