package dev.sotto.app.view;

import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.Locale;
import java.util.stream.Stream;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import me.tongfei.progressbar.ProgressState;

/**
 * Shows how far tasks are, one after another: a bar on a terminal; elsewhere a line now and then,
 * or nothing. Safe for use by several threads.
 */
public final class Progress implements AutoCloseable {
  private static final long PAUSE = 2_000_000_000L; // nanoseconds between two lines

  private final PrintStream out;
  private final Screen screen;
  private final boolean lines;
  private ConsoleProgressBarConsumer drawn;
  private ProgressBar bar;
  private String task = "";
  private long lastLine;

  private Progress(PrintStream out, Screen screen, boolean lines) {
    this.out = out;
    this.screen = screen;
    this.lines = lines;
  }

  /** Bars on standard error where it is a terminal that can draw them, nothing elsewhere. */
  public static Progress onTerminal() {
    return new Progress(System.err, Screen.errors(), false);
  }

  /** Bars on standard error where it is a terminal, lines elsewhere. */
  public static Progress everywhere() {
    return new Progress(System.err, Screen.errors(), true);
  }

  /** Bars where the stream goes to a terminal, lines elsewhere. */
  public static Progress everywhere(PrintStream out, Screen screen) {
    return new Progress(out, screen, true);
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
    if (screen.isTerminal()) {
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
    return screen.isTerminal();
  }

  /** Prints a line above the bar, on a terminal alone. */
  public synchronized void line(String text) {
    if (screen.isTerminal()) {
      int most = drawn == null ? 1 : Math.max(1, drawn.getMaxRenderedLength());
      out.printf("\r%-" + most + "s%n", text);
    }
  }

  private ProgressBar bar(long most) {
    drawn = new ConsoleProgressBarConsumer(out, screen.width() - 1);
    ProgressBarBuilder builder = new ProgressBarBuilder()
        .setTaskName(task)
        .setInitialMax(most)
        .setStyle(style(Stream.of("stderr.encoding", "sun.stderr.encoding", "native.encoding")
            .map(System::getProperty)))
        .setUpdateIntervalMillis(200)
        .clearDisplayOnFinish()
        .setConsumer(drawn);
    return (most < 0 ? builder.setRenderer(Progress::counted) : builder).build();
  }

  /** Without colours; blocks where the terminal's character set has them. */
  static ProgressBarStyle style(Stream<String> encodings) {
    boolean blocks = encodings
        .filter(each -> each != null && Charset.isSupported(each))
        .findFirst()
        .map(each -> Charset.forName(each).newEncoder().canEncode('\u2588'))
        .orElse(false);
    return blocks ? ProgressBarStyle.UNICODE_BLOCK : ProgressBarStyle.ASCII;
  }

  private static String counted(ProgressState state, int width) {
    return counted(state.getTaskName(), state.getCurrent(), state.getExtraMessage(), width);
  }

  /** In place of a bar, where nobody knows how much there is to do. */
  static String counted(String task, long done, String message, int width) {
    String text = String.format(
        Locale.ROOT, "%s  %,d  %s", task, done, message == null ? "" : message.strip());
    return String.format("%-" + Math.max(1, width) + "s", text).substring(0, Math.max(1, width));
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
