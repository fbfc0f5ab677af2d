package dev.sotto.replay.recording;

import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;

/** A recording cannot be read. */
public final class RecordingException extends SottoException {
  private static final long serialVersionUID = 1L;

  /** The message names the file, the place in it, what is wrong, and what to do. */
  public RecordingException(String message) {
    super(FailureKind.RECORDING, message);
  }

  /** The same with its cause. */
  public RecordingException(String message, Throwable cause) {
    super(FailureKind.RECORDING, message, cause);
  }
}
