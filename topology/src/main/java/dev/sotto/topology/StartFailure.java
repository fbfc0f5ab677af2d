package dev.sotto.topology;

/** Why the learner could not start or go on, in one message for the operator, with the exit code that says so. */
public class StartFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ExitCode exitCode;

  /** A failure with the code that the process should end with. */
  public StartFailure(ExitCode exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  /** A failure that follows from an exception. */
  public StartFailure(ExitCode exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  /** The code that the process should end with. */
  public ExitCode exitCode() {
    return exitCode;
  }
}
