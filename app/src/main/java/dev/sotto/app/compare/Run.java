package dev.sotto.app.compare;

import java.util.Optional;

/**
 * One configuration, or one of its references, over the recording.
 *
 * @param name no other run has it
 */
public record Run(String name, Role role, Outcome outcome) {
  /** Its figures, where it came to an end. */
  public Optional<Outcome.Finished> finished() {
    return outcome instanceof Outcome.Finished figures ? Optional.of(figures) : Optional.empty();
  }
}
