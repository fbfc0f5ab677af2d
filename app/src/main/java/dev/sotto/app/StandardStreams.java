package dev.sotto.app;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps standard output and standard error for the product's own lines. What the virtual machine
 * and libraries would print there may hold sizes, offsets and topics of single records: it goes
 * into the log inside.
 */
final class StandardStreams {
  private StandardStreams() {}

  /** To be called before anything else. */
  static void keep() {
    Thread.setDefaultUncaughtExceptionHandler(StandardStreams::ended);
    LogManager.getLogManager().reset(); // its root prints to standard error
    java.util.logging.Logger.getLogger("").addHandler(new Forwarding());
  }

  /** A thread ended by what nobody caught: outside its class alone, inside all of it. */
  static void ended(Thread thread, Throwable thrown) {
    LoggerFactory.getLogger(StandardStreams.class)
        .error(
            "a thread ended by {}; the log inside has the details",
            thrown.getClass().getSimpleName(),
            thrown);
  }

  /** Hands lines of {@code java.util.logging} on, under the names of their loggers. */
  private static final class Forwarding extends Handler {
    @Override
    public void publish(LogRecord line) {
      Logger log = LoggerFactory.getLogger(
          line.getLoggerName() == null ? "java" : "java." + line.getLoggerName());
      if (line.getLevel().intValue() >= Level.WARNING.intValue()) {
        log.warn("{}", line.getMessage(), line.getThrown());
      } else {
        log.info("{}", line.getMessage(), line.getThrown());
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
