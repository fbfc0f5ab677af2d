package dev.sotto.app.audit;

/**
 * How much work an audit does; less of it proves less, and never raises more false alarms.
 *
 * @param samples draws of noise a distribution is judged by, about
 * @param claimRuns runs in each of two worlds against a published claim
 * @param trapCanaries canaries against a broken learner, where one batch holds many
 * @param aloneCanaries canaries against a broken learner, where each has a batch to itself
 */
public record Effort(int samples, int claimRuns, int trapCanaries, int aloneCanaries) {
  /** About a million draws: what the command does. */
  public static final Effort FULL = new Effort(1 << 20, 20_000, 32_768, 1_024);

  /** A few seconds in all, for tests. */
  public static final Effort QUICK = new Effort(1 << 16, 1_000, 4_096, 256);
}
