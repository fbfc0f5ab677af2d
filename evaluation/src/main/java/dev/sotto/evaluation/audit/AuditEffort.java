package dev.sotto.evaluation.audit;

/**
 * How much work an audit does. Less work proves less, and raises no more false alarms.
 *
 * @param samples draws of noise a distribution is judged by, about
 * @param aloneCanaries canaries that have a round each to themselves
 */
public record AuditEffort(int samples, int aloneCanaries) {
  /** About a million draws: what the command does. */
  public static final AuditEffort FULL = new AuditEffort(1 << 20, 1_024);

  /** A few seconds in all, for tests. */
  public static final AuditEffort QUICK = new AuditEffort(1 << 16, 256);

  private static final int SAMPLES_PER_PAIR = 1 << 15;

  /** Pairs of neighbouring logs that are compared: 32 where a million draws are looked at. */
  public int pairs() {
    return Math.max(2, samples / SAMPLES_PER_PAIR);
  }
}
