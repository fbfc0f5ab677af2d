package dev.sotto.replay.recording.text;

import java.io.IOException;

/** A text that is not of its format: what is wrong, and on which line. */
final class MalformedTextException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * A fault.
   *
   * @param line from 1
   */
  MalformedTextException(long line, String what) {
    super("line " + line + ": " + what);
  }
}
