package dev.sotto.topology.runtime;

import dev.sotto.learner.accounting.PrivateMetrics;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import java.util.List;

/**
 * What is said loudly, at every start, where metrics carry no noise ({@code metrics.unsafe.exact}).
 */
public final class ExactMetricsWarning {
  private ExactMetricsWarning() {}

  /** The warning, line by line; empty where metrics are private or not there. */
  public static List<String> warning(LearnerSettings settings) {
    PrivateMetrics metrics = settings.plan().metrics();
    if (metrics == null || !metrics.exact()) {
      return List.of();
    }
    return List.of(
        "metrics.unsafe.exact is true: THERE IS NO PRIVACY GUARANTEE, for nobody and at no"
            + " epsilon.",
        "Topic " + Names.metrics(settings.app())
            + " gets exact figures of the examples: whoever reads it"
            + " can tell what single records held.",
        "Every ledger entry and every snapshot of this run says so: its epsilon is infinite, the"
            + " model's"
            + " noise included.",
        "It is meant for public or synthetic data only. With any other data stop now: what has"
            + " been published"
            + " cannot be taken back.",
        "For private metrics set metrics.unsafe.exact: false and metrics.share: 0.1 or so, under"
            + " a new app.id.");
  }
}
