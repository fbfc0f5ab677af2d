package dev.sotto.testkit;

import org.opentest4j.AssertionFailedError;

/** Failures as JUnit knows them. */
final class AssertionFailures {
  private AssertionFailures() {}

  static AssertionFailedError of(String message) {
    return new AssertionFailedError(message);
  }

  /** One that editors show as a difference. */
  static AssertionFailedError of(String message, Object expected, Object actual) {
    return new AssertionFailedError(message, expected, actual);
  }

  static void unless(boolean holds, String message, Object... values) {
    if (!holds) {
      throw of(String.format(message, values));
    }
  }
}
