package dev.sotto.learner.optimizer;

import dev.sotto.learner.loss.NamedObjective;
import java.util.List;

/**
 * What the choice of an algorithm depends on; all of it is public. docs/algorithms.md, "Which one"
 * has the reasons.
 *
 * @param algorithm its name
 * @param loss what is minimised
 * @param moments whether a moment of the gradients was given
 * @param normed whether features have a norm of at most 1
 */
public record AdviceInputs(String algorithm, NamedObjective loss, boolean moments, boolean normed) {
  /** Whether the loss is convex. */
  public boolean isConvex() {
    return loss.objective().isConvex();
  }

  /** What to consider of an algorithm for convex losses where the loss is not. */
  public List<String> notConvex() {
    return List.of("Loss " + loss.name() + " is not convex, and nothing is known of " + algorithm
        + " there: tree-momentum-nsgd and sensitivity-reduced-nsgd are made for it.");
  }

  /** The same of an algorithm for losses that need not be convex. */
  public List<String> needNotBeConvex() {
    return isConvex()
        ? List.of("Loss " + loss.name() + " is convex: private-ftrl learns it too, with a bound on"
            + " the loss itself. " + algorithm + " only bounds its gradient.")
        : List.of();
  }
}
