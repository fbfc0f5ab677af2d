package dev.sotto.learner.training;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.Vectors;
import dev.sotto.learner.loss.Objective;
import java.util.Arrays;

/** The norms of gradients, which are counted in bins. Not safe for use by several threads. */
final class GradientNorms {
  private final Objective.Pass pass;
  private final double[] outer;
  private final double[] tail;

  GradientNorms(Objective objective) {
    this.pass = objective.pass();
    this.outer = new double[objective.rows()];
    this.tail = new double[objective.tail()];
  }

  /** The l2 norm of a query's scaled gradient of an example; may be infinite or NaN. */
  double of(Example example, GradientQuery query) {
    Arrays.fill(outer, 0);
    Arrays.fill(tail, 0);
    pass.forward(example, query.point());
    pass.backward(example.label(), example.weight() * query.scale(), outer, tail);
    double rows = Vectors.norm(outer, outer.length) * example.norm();
    double rest = Vectors.norm(tail, tail.length);
    return rest == 0 ? rows : Math.sqrt(rows * rows + rest * rest);
  }
}
