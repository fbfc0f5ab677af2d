package dev.sotto.topology;

import dev.sotto.topology.registry.RegistryCopies;
import dev.sotto.topology.status.LearnerStatus;
import java.util.Objects;
import java.util.Optional;

/**
 * What is reported of a learner's tasks, and what is made of what they publish; none of it changes
 * what they learn.
 *
 * @param status reported by the tasks
 * @param copies of what they publish, if they are asked for
 */
public record TaskWatch(LearnerStatus status, Optional<RegistryCopies> copies) {
  public TaskWatch {
    Objects.requireNonNull(status, "status");
    Objects.requireNonNull(copies, "copies");
  }
}
