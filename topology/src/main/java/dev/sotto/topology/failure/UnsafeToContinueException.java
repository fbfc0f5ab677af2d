package dev.sotto.topology.failure;

/**
 * Learning must not continue, and trying again would not help. The message says what was found,
 * where, and what to do. Nothing has been overwritten.
 */
public final class UnsafeToContinueException extends SottoException {
  private static final long serialVersionUID = 1L;

  /** A refusal with one message for the operator. */
  public UnsafeToContinueException(String message) {
    super(FailureKind.REFUSED, message);
  }

  /** A refusal that follows from an exception. */
  public UnsafeToContinueException(String message, Throwable cause) {
    super(FailureKind.REFUSED, message, cause);
  }
}
