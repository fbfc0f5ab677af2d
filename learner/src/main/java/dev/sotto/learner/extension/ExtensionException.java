package dev.sotto.learner.extension;

/**
 * User code cannot be run at all, whatever the record: a class is missing, or of another version.
 * Trying again would not help.
 */
public final class ExtensionException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /**
   * A failure in words.
   *
   * @param cause may be null
   */
  public ExtensionException(String message, Throwable cause) {
    super(message, cause);
  }
}
