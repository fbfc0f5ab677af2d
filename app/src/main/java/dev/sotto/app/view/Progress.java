package dev.sotto.app.view;

import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.Locale;
import java.util.stream.Stream;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * Shows how far tasks are, one after another: a bar on a terminal; elsewhere a line now and then,
 * or nothing. Safe for use by several threads.
 */
public final class Progress implements AutoCloseable {
  private static final long PAUSE = 2_000_000_000L; // nanoseconds between two lines

  private final PrintStream out;
  private final boolean terminal;
  private final boolean lines;
  private final ConsoleProgressBarConsumer bars;
  private ProgressBar bar;
  private String task = "";
  private long lastLine;

  private Progress(PrintStream out, boolean terminal, boolean lines) {
    this.out = out;
    this.terminal = terminal;
    this.lines = lines;
    this.bars = new ConsoleProgressBarConsumer(out);
  }

  /** Bars on standard error where it is a terminal that can draw them, nothing elsewhere. */
  public static Progress onTerminal() {
    return new Progress(System.err, System.console() != null && !isDumb(), false);
  }

  /** Whether a terminal cannot go back in a line. */
  private static boolean isDumb() {
    return "dumb".equals(System.getenv("TERM"));
  }

  /** Bars where the stream is a terminal, lines elsewhere. */
  public static Progress everywhere(PrintStream out, boolean terminal) {
    return new Progress(out, terminal, true);
  }

  /**
   * Shows that a part of a task is done; another task than before begins another bar.
   *
   * @param most how much there is to do; negative where that is not known
   */
  public synchronized void at(String newTask, long done, long most, String message) {
    if (!newTask.equals(task)) {
      close();
      task = newTask;
      lastLine = System.nanoTime() - PAUSE;
    }
    if (terminal) {
      bar = bar == null ? bar(most) : bar;
      bar.stepTo(done);
      bar.setExtraMessage(" " + message);
    } else if (lines && (done == most || System.nanoTime() - lastLine >= PAUSE)) {
      lastLine = System.nanoTime();
      out.println(String.format(Locale.ROOT, "%s %,d of %,d; %s", task, done, most, message));
    }
  }

  /** Whether bars are shown. */
  public boolean isTerminal() {
    return terminal;
  }

  /** Prints a line above the bar, on a terminal alone. */
  public synchronized void line(String text) {
    if (terminal) {
      out.printf("\r%-" + Math.max(1, bars.getMaxRenderedLength()) + "s%n", text);
    }
  }

  private ProgressBar bar(long most) {
    return new ProgressBarBuilder()
        .setTaskName(task)
        .setInitialMax(most)
        .setUpdateIntervalMillis(200)
        .setStyle(style())
        .setConsumer(new ConsoleProgressBarConsumer(out))
        .clearDisplayOnFinish()
        .build();
  }

  /** Without colours; blocks where the terminal's character set has them. */
  private static ProgressBarStyle style() {
    boolean blocks = Stream.of("stderr.encoding", "sun.stderr.encoding", "native.encoding")
        .map(System::getProperty)
        .filter(each -> each != null && Charset.isSupported(each))
        .findFirst()
        .map(each -> Charset.forName(each).newEncoder().canEncode('\u2588'))
        .orElse(false);
    return blocks ? ProgressBarStyle.UNICODE_BLOCK : ProgressBarStyle.ASCII;
  }

  @Override
  public synchronized void close() {
    if (bar != null) {
      bar.close();
      bar = null;
    }
    task = "";
  }
}
