package dev.sotto.learner.monitoring;

import java.util.OptionalLong;

/**
 * Whether a model's loss has risen, as of one window of its metrics.
 *
 * @param round the last round of the window
 * @param rise by how much the mean loss of the newest windows lies above that of windows before
 *     them: of all comparisons the one that is nearest to an alarm, or farthest beyond it
 * @param threshold a rise above this is an alarm; it shrinks as windows come
 * @param since the first round of the window with which the present alarm began; empty without
 */
public record Drift(long round, double rise, double threshold, OptionalLong since) {
  /** Whether there is an alarm. */
  public boolean isAlarm() {
    return since.isPresent();
  }
}
