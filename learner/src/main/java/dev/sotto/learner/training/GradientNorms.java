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

  /**
   * The l2 norm of a query's scaled gradient of an example; infinite or NaN where it is not finite.
   * Of factors that are finite, and whose product is not, a huge number.
   */
  double of(Example example, GradientQuery query) {
    Arrays.fill(outer, 0);
    Arrays.fill(tail, 0);
    pass.forward(example, query.point());
    pass.backward(example.label(), example.weight() * query.scale(), outer, tail);
    double rest = Vectors.norm(tail, tail.length);
    double rows = product(Vectors.norm(outer, outer.length), example.norm());
    return rest == 0 ? rows : Math.sqrt(product(rows, rows) + product(rest, rest));
  }

  private static double product(double a, double b) {
    double product = a * b;
    boolean overflows = product == Double.POSITIVE_INFINITY
        && a < Double.POSITIVE_INFINITY
        && b < Double.POSITIVE_INFINITY;
    return overflows ? Double.MAX_VALUE / 2 : product;
  }
}
