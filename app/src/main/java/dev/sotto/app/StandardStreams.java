package dev.sotto.app;

import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps standard output and standard error for the product's own lines. What the virtual machine
 * and libraries would print there may hold sizes, offsets and topics of single records: it goes
 * into the log inside.
 */
final class StandardStreams {
  private static final int BUFFER = 8192;

  private StandardStreams() {}

  /** Lets a write that fails end the command: print streams would swallow it. */
  static void checkOutput() {
    System.setOut(new PrintStream(
        new BufferedOutputStream(
            new CheckedOutput(new FileOutputStream(FileDescriptor.out)), BUFFER),
        true,
        charset()));
  }

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

  private static Charset charset() {
    return Stream.of("stdout.encoding", "sun.stdout.encoding", "native.encoding")
        .map(System::getProperty)
        .filter(name -> name != null && Charset.isSupported(name))
        .map(Charset::forName)
        .findFirst()
        .orElseGet(Charset::defaultCharset);
  }

  /** Print streams swallow what a write fails with; here it ends the command. */
  static final class CheckedOutput extends OutputStream {
    private final OutputStream out;

    CheckedOutput(OutputStream out) {
      this.out = out;
    }

    @Override
    public void write(int one) {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
      try {
        out.write(bytes, from, length);
      } catch (IOException failed) {
        String why = String.valueOf(failed.getMessage());
        if (why.contains("Broken pipe")) {
          throw new ClosedOutputException(failed);
        }
        throw new SottoException(
            FailureKind.UNEXPECTED, "standard output cannot be written: " + why, failed);
      }
    }
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
