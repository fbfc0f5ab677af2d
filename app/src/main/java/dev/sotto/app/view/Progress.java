package dev.sotto.app.view;

import java.io.PrintStream;
import java.util.Locale;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;

/** Shows how far something is: a bar on a terminal, a line now and then elsewhere. */
public final class Progress implements AutoCloseable {
  private static final long PAUSE = 2_000_000_000L;

  private final PrintStream out;
  private final String task;
  private final long most;
  private final ProgressBar bar;
  private long lastLine = System.nanoTime() - PAUSE;

  /**
   * A task that has just begun.
   *
   * @param most how much there is to do
   * @param terminal whether the stream is one, on which a line can be drawn again
   */
  public Progress(PrintStream out, String task, long most, boolean terminal) {
    this.out = out;
    this.task = task;
    this.most = most;
    this.bar = terminal
        ? new ProgressBarBuilder()
            .setTaskName(task)
            .setInitialMax(most)
            .setUpdateIntervalMillis(200)
            .setConsumer(new ConsoleProgressBarConsumer(out))
            .build()
        : null;
  }

  /** So much is done. */
  public void show(long done, String message) {
    if (bar != null) {
      bar.stepTo(done);
      bar.setExtraMessage(" " + message);
      return;
    }
    long now = System.nanoTime();
    if (now - lastLine >= PAUSE || done == most) {
      lastLine = now;
      out.println(String.format(Locale.ROOT, "%s %,d of %,d; %s", task, done, most, message));
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
