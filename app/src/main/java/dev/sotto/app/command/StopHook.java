package dev.sotto.app.command;

/** What is done where the process is asked to end, until this is closed. */
final class StopHook {
  private final Thread thread;

  StopHook(Runnable stop) {
    thread = new Thread(stop, "sotto-stop");
    Runtime.getRuntime().addShutdownHook(thread);
  }

  void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(thread);
    } catch (IllegalStateException goingDown) {
      // It is running already.
    }
  }
}
