package dev.sotto.app.view;

/**
 * A bar on standard error for each task, one after another; on a terminal only, since elsewhere the figures at the end
 * are enough. Safe for use by several threads.
 */
public final class Bars implements AutoCloseable {
  private final boolean terminal = System.console() != null;
  private Progress bar;
  private String task = "";

  /**
   * So much of a task is done; another task than before begins another bar.
   *
   * @param most how much there is to do; negative where that is not known
   */
  public synchronized void at(String newTask, long done, long most, String message) {
    if (!terminal) {
      return;
    }
    if (!newTask.equals(task)) {
      close();
      task = newTask;
      bar = new Progress(System.err, newTask, most, true);
    }
    bar.show(done, message);
  }

  @Override
  public synchronized void close() {
    if (bar != null) {
      bar.close();
      bar = null;
      task = "";
    }
  }
}
