package dev.sotto.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.app.Main;

/** The program, in which a thread fails as one of Kafka's would. */
public final class MainWithAFailingThread {
  private static final String SECRET = "The message is 1248336 bytes when serialized";

  /** The line that tells of it. */
  public static final String TOLD =
      "ERROR a thread ended by IllegalStateException; the log inside has the details";

  private MainWithAFailingThread() {}

  /** Checks that of both streams, the fault of the thread was told by its class and nothing else. */
  public static void requireOwnLines(String printed) {
    assertThat(printed).containsOnlyOnce("xception").doesNotContain("WARN", SECRET);
    assertThat(printed.lines().filter(line -> line.startsWith("ERROR"))).containsExactly(TOLD);
  }

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
