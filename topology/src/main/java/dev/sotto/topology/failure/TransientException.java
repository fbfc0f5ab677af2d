package dev.sotto.topology.failure;

/**
 * Network, broker or takeover: trying again may help. A stream thread that throws it is replaced.
 */
public class TransientException extends SottoException {
  private static final long serialVersionUID = 1L;

  /** A fault of the kind {@link FailureKind#FAULTS}. */
  public TransientException(String message) {
    this(FailureKind.FAULTS, message);
  }

  /** A fault of another kind: {@link FailureKind#UNREACHABLE} or {@link FailureKind#IN_USE}. */
  public TransientException(FailureKind kind, String message) {
    super(kind, message);
  }

  /** A fault that follows from an exception. */
  public TransientException(FailureKind kind, String message, Throwable cause) {
    super(kind, message, cause);
  }
}
