package dev.sotto.learner.training;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.loss.Loss;
import dev.sotto.learner.optimizer.DifferenceClips;
import dev.sotto.learner.release.GradientSum;
import dev.sotto.learner.release.OpenSum;

/**
 * Gradients of losses of one score: multiples of the features. Both gradients of a difference come
 * from one pass over the example: two inner products, one scaled addition.
 */
final class ScoreGradients implements SlotSums {
  private final Loss loss;
  private final GradientSum sum;
  private GradientQuery query;
  private DifferenceClips clips; // of the open query; null where gradients are cut as one

  ScoreGradients(Loss loss, GradientSum sum) {
    this.loss = loss;
    this.sum = sum;
  }

  @Override
  public OpenSum sum() {
    return sum;
  }

  @Override
  public void open(GradientQuery next, Opening opening) {
    sum.open(opening.slots(), opening.factor());
    query = next;
    clips = next.clips();
  }

  @Override
  public void add(Example example, long place) {
    double label = example.label();
    if (clips != null) {
      addClipped(example, label);
      return;
    }
    double slope = loss.slope(example.dot(query.point()), label) * query.scale();
    if (query.isDifference()) {
      slope -= loss.slope(example.dot(query.previous()), label) * query.previousScale();
    }
    sum.add(example, slope * example.weight());
  }

  /** Both gradients are multiples of the features: their clips are those of two numbers. */
  private void addClipped(Example example, double label) {
    double norm = example.norm();
    double weight = example.weight();
    double fresh =
        cutOwn(loss.slope(example.dot(query.point()), label) * weight, norm, clips.gradient());
    double mapped = clips.share() * fresh;
    if (query.isDifference()) {
      double before =
          cutOwn(loss.slope(example.dot(query.previous()), label) * weight, norm, clips.gradient());
      mapped += (1 - clips.share()) * cutOwn(fresh - before, norm, clips.difference());
    }
    sum.add(example, mapped * query.scale());
  }

  /**
   * A factor of a vector of some norm, cut so that the product is at most a radius long: the
   * algorithm's own clip. The one that the guarantee rests on follows in the {@link GradientSum}
   * ({@link dev.sotto.learner.release.ClippedSum#add(Example, double)}).
   */
  private static double cutOwn(double factor, double norm, double radius) {
    double length = Math.abs(factor) * norm;
    if (length <= radius) {
      return factor;
    }
    double least = radius / norm; // 0 where the norm is not finite, and so is what is not a number
    return length > radius && least > 0 ? Math.copySign(least, factor) : 0;
  }

  @Override
  public void recycle() {
    sum.recycle();
  }
}
