package dev.sotto.replay.recording.text;

import java.io.IOException;

/** A text that is not of its format: what is wrong, and on which line. */
final class FaultyText extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * A fault.
   *
   * @param line from 1
   */
  FaultyText(long line, String what) {
    super("line " + line + ": " + what);
  }
}
