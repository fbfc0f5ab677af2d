package dev.sotto.app;

/** Nobody reads standard output any more, as behind {@code | head}: the command ends at once. */
final class ClosedOutputException extends RuntimeException {
  /** What a shell says of a process that SIGPIPE has ended. */
  static final int CODE = 128 + 13;

  private static final long serialVersionUID = 1L;

  ClosedOutputException(Throwable cause) {
    super("nobody reads standard output", cause);
  }
}
