package dev.sotto.evaluation.audit;

/**
 * How much work an audit does. Less work proves less, and raises no more false alarms.
 *
 * @param samples draws of noise a distribution is judged by, about
 * @param claimRuns runs in each of two worlds against a published claim
 * @param faultCanaries canaries against a broken learner, where one batch holds many
 * @param aloneCanaries canaries against a broken learner, where each has a batch to itself
 */
public record AuditEffort(int samples, int claimRuns, int faultCanaries, int aloneCanaries) {
  /** About a million draws: what the command does. */
  public static final AuditEffort FULL = new AuditEffort(1 << 20, 20_000, 32_768, 1_024);

  /** A few seconds in all, for tests. */
  public static final AuditEffort QUICK = new AuditEffort(1 << 16, 1_000, 4_096, 256);

  private static final int SAMPLES_PER_PAIR = 1 << 15;

  /** Pairs of neighbouring logs that are compared: 32 where a million draws are looked at. */
  public int pairs() {
    return Math.max(2, samples / SAMPLES_PER_PAIR);
  }
}
