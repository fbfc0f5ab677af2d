package dev.sotto.evaluation.audit.subject;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.loss.Loss;
import dev.sotto.learner.optimizer.DifferenceClips;

/**
 * What an example adds to the sum of a query at the points of {@link FixedPoints}.
 *
 * @param clips of differences; null where every query asks for one gradient
 */
record GradientsByHand(Loss loss, double clip, DifferenceClips clips) {
  /**
   * What the features are multiplied by.
   *
   * @param longer by how much differences may be longer than they should; infinite where they, and
   *     the gradients in them, are not cut
   */
  double factor(Example example, long number, double longer) {
    if (clips == null) {
      return cut(slope(example, 1), example, clip);
    }
    double fresh = cut(slope(example, number), example, clips.gradient());
    if (number == 1) {
      return clips.share() * fresh;
    }
    double moved = slope(example, number) - slope(example, number - 1);
    if (longer < Double.POSITIVE_INFINITY) {
      moved = fresh - cut(slope(example, number - 1), example, clips.gradient());
      moved = cut(moved, example, longer * clips.difference());
    }
    return (1 - clips.share()) * moved + clips.share() * fresh;
  }

  /** The slope at the point of a query; that of the first is zero. */
  double slope(Example example, long query) {
    double score = 0;
    for (int i = 0; i < example.size(); i++) {
      score += example.value(i) * FixedPoints.coordinate(query);
    }
    return loss.slope(score, example.label()) * example.weight();
  }

  private static double cut(double factor, Example example, double radius) {
    double norm = Math.abs(factor) * example.norm();
    return norm > radius ? factor * radius / norm : factor;
  }
}
