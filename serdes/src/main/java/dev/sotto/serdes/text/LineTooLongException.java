package dev.sotto.serdes.text;

import java.io.IOException;

/** A line is longer than allowed. */
public final class LineTooLongException extends IOException {
  private static final long serialVersionUID = 1L;

  LineTooLongException(int maxBytes) {
    super("it is longer than " + maxBytes + " bytes");
  }
}
