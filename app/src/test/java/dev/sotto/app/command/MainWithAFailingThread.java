package dev.sotto.app.command;

import dev.sotto.app.Main;

/** The program, in which a thread fails as one of Kafka's would. */
final class MainWithAFailingThread {
  static final String SECRET = "The message is 1248336 bytes when serialized";

  private MainWithAFailingThread() {}

  /** {@link Main} with these arguments. */
  public static void main(String[] arguments) {
    Thread failing = new Thread(() -> {
      try {
        Thread.sleep(3_000); // the program has begun by then, or never will
      } catch (InterruptedException ending) {
        Thread.currentThread().interrupt();
      }
      throw new IllegalStateException(SECRET);
    });
    failing.setDaemon(true);
    failing.start();
    Main.main(arguments);
  }
}
