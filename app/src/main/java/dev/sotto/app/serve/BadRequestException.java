package dev.sotto.app.serve;

/** A request that cannot be answered; the message says what it must be and what it was. */
final class BadRequestException extends Exception {
  private static final long serialVersionUID = 1;

  private final int code;

  BadRequestException(String message) {
    this(400, message);
  }

  BadRequestException(int code, String message) {
    super(message);
    this.code = code;
  }

  /** The status of HTTP. */
  int code() {
    return code;
  }
}
