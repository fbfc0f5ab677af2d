package dev.sotto.learner.key;

import java.util.Objects;

/**
 * What tells runs of one noise key, model and configuration apart. Runs of equal names draw the
 * same noise; where their records are nearly the same, equal versions and the first unequal one are
 * exact data about the difference.
 *
 * @param app application id; empty for what no application publishes
 * @param label of the run
 */
public record RunName(String app, String label) {
  public RunName {
    Objects.requireNonNull(app, "app");
    Objects.requireNonNull(label, "label");
  }

  /**
   * Of a run that no application publishes: an audit, an experiment. It shares no noise with any
   * application's.
   */
  public static RunName ofNoApplication(String label) {
    return new RunName("", label);
  }
}
