package dev.sotto.topology.runtime;

/**
 * Stream threads that die of something that was judged, and logged, already. Streams throws it on
 * afterwards, and the virtual machine would print it with all that it says of records.
 */
public final class JudgedThreads {
  private JudgedThreads() {}

  /** What is thrown on in a thread is neither printed nor logged once more. */
  public static void mark(Thread thread) {
    thread.setUncaughtExceptionHandler((dying, thrown) -> {});
  }
}
