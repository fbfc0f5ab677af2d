package dev.sotto.evaluation.audit;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.sotto.evaluation.audit.canary.CanaryResult;
import dev.sotto.evaluation.audit.check.CheckResult;
import dev.sotto.learner.training.Plan;
import java.util.List;

/** The fields of an audit as JSON. */
public record AuditJson(
    boolean holds,
    @JsonUnwrapped Bounds bounds,
    @JsonUnwrapped Canaries canaries,
    @JsonUnwrapped Audited audited,
    @JsonUnwrapped Run run,
    List<CheckResult> checks) {

  record Bounds(double epsilonLower, double epsilonUpper, double confidence, double delta) {}

  record Canaries(int canaries, int guesses, int right) {}

  record Audited(int rounds, String mechanism, String unit, String adjacency) {}

  record Run(long seed, double seconds) {}

  /** The JSON of a result. */
  public static AuditJson of(AuditResult result) {
    CanaryResult found = result.canaries();
    Audit.Options options = result.options();
    Plan plan = options.plan();
    return new AuditJson(
        result.holds(),
        new Bounds(found.epsilonLower(), found.epsilonUpper(), options.confidence(), found.delta()),
        new Canaries(
            found.guesses().canaries(),
            found.guesses().guessed(),
            found.guesses().right()),
        new Audited(
            options.rounds(),
            plan.mechanism().name(),
            plan.unit().configName(),
            plan.adjacency().configName()),
        new Run(options.seed(), result.seconds()),
        result.checks());
  }
}
