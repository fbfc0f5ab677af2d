package dev.sotto.learner.training;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.Vectors;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.optimizer.DifferenceClips;
import java.util.Arrays;

/**
 * The per-example map of {@link DifferenceClips} where gradients have several rows: each is rows
 * times features, and a tail, so two of one example are combined row by row. These clips are the
 * algorithm's own. No guarantee rests on them: the {@link dev.sotto.learner.release.GradientSum}
 * cuts the result once more ({@link dev.sotto.learner.release.ClippedSum#add(Example, double[],
 * double[])}). Not safe for use by several threads.
 */
final class DifferenceGradients {
  private final Objective.Pass pass;
  private final double[] outer;
  private final double[] tail;

  DifferenceGradients(Objective objective) {
    this.pass = objective.pass();
    this.outer = new double[objective.rows()];
    this.tail = new double[objective.tail()];
  }

  /** Writes what the query asks of an example, times its scale, into zeros. */
  void map(Example example, GradientQuery query, double[] intoOuter, double[] intoTail) {
    DifferenceClips clips = query.clips();
    double features = example.norm();
    gradient(example, query.point(), features, clips.gradient(), intoOuter, intoTail);
    double fresh = clips.share();
    if (query.isDifference()) {
      Arrays.fill(outer, 0);
      Arrays.fill(tail, 0);
      gradient(example, query.previous(), features, clips.gradient(), outer, tail);
      subtract(intoOuter, outer);
      subtract(intoTail, tail);
      double factor = factor(outer, tail, features, clips.difference());
      double changed = (1 - clips.share()) * factor;
      combine(fresh, intoOuter, changed, outer, query.scale());
      combine(fresh, intoTail, changed, tail, query.scale());
    } else {
      combine(fresh, intoOuter, 0, outer, query.scale());
      combine(fresh, intoTail, 0, tail, query.scale());
    }
  }

  private void gradient(
      Example example,
      double[] point,
      double features,
      double radius,
      double[] intoOuter,
      double[] intoTail) {
    pass.forward(example, point);
    pass.backward(example.label(), example.weight(), intoOuter, intoTail);
    double factor = factor(intoOuter, intoTail, features, radius);
    scale(intoOuter, factor);
    scale(intoTail, factor);
  }

  /** What cuts a gradient to a radius; 0 where it is not finite, so that it counts as none. */
  private static double factor(double[] rows, double[] rest, double features, double radius) {
    double product = Vectors.norm(rows, rows.length) * features;
    double tail = Vectors.norm(rest, rest.length);
    double norm = Math.sqrt(product * product + tail * tail);
    if (norm <= radius) {
      return 1;
    }
    return norm < Double.POSITIVE_INFINITY ? radius / norm : 0;
  }

  private static void scale(double[] values, double factor) {
    for (int i = 0; i < values.length; i++) {
      values[i] = factor == 0 ? 0 : values[i] * factor;
    }
  }

  /** Leaves the difference in the second. */
  private static void subtract(double[] from, double[] what) {
    for (int i = 0; i < from.length; i++) {
      what[i] = from[i] - what[i];
    }
  }

  private static void combine(
      double share, double[] into, double other, double[] with, double scale) {
    for (int i = 0; i < into.length; i++) {
      into[i] = scale * (share * into[i] + (other == 0 ? 0 : other * with[i]));
    }
  }
}
