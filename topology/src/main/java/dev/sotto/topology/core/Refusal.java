package dev.sotto.topology.core;

/**
 * Learning must not go on, and trying again would not help: the message says what was found, where, and what
 * to do. Whoever catches it stops the application; nothing has been overwritten.
 */
public final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** A refusal with one message for the operator. */
  public Refusal(String message) {
    super(message);
  }

  /** A refusal that follows from an exception. */
  public Refusal(String message, Throwable cause) {
    super(message, cause);
  }

  /** The refusal among the causes of an exception, or null. */
  public static Refusal in(Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof Refusal refusal) {
        return refusal;
      }
    }
    return null;
  }
}
