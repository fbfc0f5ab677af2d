package dev.sotto.learner.release;

/** What was encrypted for a state is damaged, or was written under another key or history. */
public final class UnreadableStateException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  UnreadableStateException(String message, Throwable cause) {
    super(message, cause);
  }
}
