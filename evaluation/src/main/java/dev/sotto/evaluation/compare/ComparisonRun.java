package dev.sotto.evaluation.compare;

import java.util.Optional;

/**
 * One configuration, or one of its references, over the recording.
 *
 * @param name unique among all runs
 */
public record ComparisonRun(String name, RunRole role, RunOutcome outcome) {
  /** The figures of a run that finished. */
  public Optional<RunOutcome.Finished> finished() {
    return outcome instanceof RunOutcome.Finished figures ? Optional.of(figures) : Optional.empty();
  }
}
