package dev.sotto.client;

/** There is no model within the time that was given; the message says why. */
public final class ModelUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1;

  ModelUnavailableException(String message) {
    super(message);
  }
}
