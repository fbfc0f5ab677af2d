package dev.sotto.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** What a fault says of records is told inside; outside stands its class. */
class StandardStreamsTest {
  private static final String SECRET = "The message is 1248336 bytes, offset 4711";

  private final PrintStream out = System.out;
  private final PrintStream err = System.err;
  private final Thread.UncaughtExceptionHandler before =
      Thread.getDefaultUncaughtExceptionHandler();
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final Logger all = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);

  @BeforeEach
  void listen() {
    PrintStream both = new PrintStream(printed, true, StandardCharsets.UTF_8);
    System.setOut(both);
    System.setErr(both);
    lines.start();
    all.addAppender(lines);
    StandardStreams.keep();
  }

  @AfterEach
  void restore() {
    all.detachAppender(lines);
    System.setOut(out);
    System.setErr(err);
    Thread.setDefaultUncaughtExceptionHandler(before);
  }

  @Test
  void aThreadThatFailsPrintsNothing() throws InterruptedException {
    Thread failing = new Thread(() -> {
      throw new IllegalStateException(SECRET, new IllegalArgumentException(SECRET));
    });
    failing.start();
    failing.join();
    assertThat(printed.toString(StandardCharsets.UTF_8)).isEmpty();
    assertThat(lines.list).singleElement().satisfies(line -> {
      assertThat(line.getLoggerName()).startsWith("dev.sotto");
      assertThat(line.getFormattedMessage())
          .contains("IllegalStateException")
          .doesNotContain("4711", "1248336");
      assertThat(line.getThrowableProxy().getMessage()).isEqualTo(SECRET); // for the log inside
    });
  }

  @Test
  void whatJavasOwnLoggersSayGoesToTheLogInside() {
    java.util.logging.Logger.getLogger("sun.net.httpserver").warning(SECRET);
    assertThat(printed.toString(StandardCharsets.UTF_8)).isEmpty();
    assertThat(lines.list).singleElement().satisfies(line -> {
      assertThat(line.getFormattedMessage()).isEqualTo(SECRET);
      assertThat(line.getLoggerName()).isEqualTo("java.sun.net.httpserver");
    });
  }

  @Command(name = "fails")
  private static final class Fails implements Callable<Integer> {
    @Override
    public Integer call() {
      throw new IllegalStateException(SECRET);
    }
  }

  /** A command that writes where nobody reads. */
  @Command(name = "talks")
  private static final class Talks implements Callable<Integer> {
    private final PrintStream to;

    Talks(String why) {
      OutputStream broken = new OutputStream() {
        @Override
        public void write(int one) throws IOException {
          throw new IOException(why);
        }
      };
      to = new PrintStream(new StandardStreams.CheckedOutput(broken), true, UTF_8);
    }

    @Override
    public Integer call() {
      new PrintWriter(to, true).println("a line");
      throw new AssertionError("nobody has said that the line was lost");
    }
  }

  private static int talk(String why, StringWriter errors) {
    CommandLine line = Main.commandLine();
    CommandLine talks = new CommandLine(new Talks(why))
        .setExecutionExceptionHandler(line.getExecutionExceptionHandler());
    line.addSubcommand(talks);
    talks.setErr(new PrintWriter(errors));
    return line.execute("talks");
  }

  @Test
  void endsAtOnceWhereNobodyReadsAnyMore() {
    StringWriter errors = new StringWriter();
    assertThat(talk("Broken pipe", errors)).isEqualTo(ClosedOutputException.CODE);
    assertThat(errors.toString()).isEmpty();
    assertThat(talk("No space left on device", errors)).isEqualTo(1);
    assertThat(errors.toString())
        .isEqualTo("sotto: standard output cannot be written: No space left on device"
            + System.lineSeparator());
  }

  @Test
  void aFaultThatNobodyForesawIsNamedByItsClass() {
    CommandLine line = Main.commandLine();
    CommandLine fails = new CommandLine(new Fails())
        .setExecutionExceptionHandler(line.getExecutionExceptionHandler());
    StringWriter errors = new StringWriter();
    line.addSubcommand(fails);
    fails.setErr(new PrintWriter(errors));
    assertThat(line.execute("fails")).isEqualTo(1);
    assertThat(errors + printed.toString(StandardCharsets.UTF_8))
        .startsWith("sotto: IllegalStateException; this should not happen")
        .doesNotContain("4711");
  }
}
