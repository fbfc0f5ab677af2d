package dev.sotto.replay.recording;

import dev.sotto.topology.ExitCode;
import dev.sotto.topology.StartFailure;

/** A recording cannot be read. */
public final class RecordingFault extends StartFailure {
  private static final long serialVersionUID = 1L;

  /** A fault in words: which file, where in it, what is wrong, what to do. */
  public RecordingFault(String message) {
    super(ExitCode.RECORDING, message);
  }

  /** The same with its cause. */
  public RecordingFault(String message, Throwable cause) {
    super(ExitCode.RECORDING, message, cause);
  }
}
