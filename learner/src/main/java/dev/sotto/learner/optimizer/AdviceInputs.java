package dev.sotto.learner.optimizer;

import dev.sotto.learner.loss.Objective;

/**
 * What the choice of an algorithm depends on; all of it is public.
 *
 * @param algorithm its name
 * @param optimizer with its settings
 * @param loss the name of the objective
 * @param moments whether a moment of the gradients was given
 * @param normed whether features have a norm of at most 1
 */
public record AdviceInputs(
    String algorithm,
    Optimizer optimizer,
    String loss,
    Objective objective,
    boolean moments,
    boolean normed) {
  /** What to consider of an algorithm where the loss is not convex. */
  String notConvex() {
    return "Loss " + loss + " is not convex, and nothing is known of " + algorithm
        + " there: tree-momentum-nsgd and sensitivity-reduced-nsgd are made for it.";
  }
}
