package dev.sotto.learner.release;

/** Makes a process ready to read large states. */
public final class StateReading {
  /** Models of fewer weights have states that are read before this would be of use. */
  public static final int LEAST_DIMENSION = 1 << 14;

  private StateReading() {}

  /**
   * Has what encrypts and decrypts states compiled, which takes about a second of one core, and two
   * at most. Its outcome is speed alone, so it may run beside whatever else a start waits for.
   */
  public static void prepare() {
    StateSeal.warmUp();
  }
}
