package dev.sotto.topology.failure;

/** What went wrong: its kind, and one message for the operator. */
public class SottoException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final FailureKind kind;

  /** A failure of a kind. */
  public SottoException(FailureKind kind, String message) {
    this(kind, message, null);
  }

  /** A failure that follows from an exception. */
  public SottoException(FailureKind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** What kind of failure it is. */
  public final FailureKind kind() {
    return kind;
  }
}
