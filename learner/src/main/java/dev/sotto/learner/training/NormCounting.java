package dev.sotto.learner.training;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.optimizer.NormBins;
import dev.sotto.learner.release.ClippedSum;
import dev.sotto.learner.release.OpenSum;

/** Gradients are summed, but by queries that count their norms in bins. */
final class NormCounting implements SlotSums {
  private final GradientNorms norms;
  private final SlotSums gradients;
  private final ClippedSum sum;
  private GradientQuery query;

  /**
   * Of sums.
   *
   * @param sum of the gradients
   */
  NormCounting(Objective objective, SlotSums gradients, ClippedSum sum) {
    this.norms = new GradientNorms(objective);
    this.gradients = gradients;
    this.sum = sum;
  }

  @Override
  public OpenSum sum() {
    return sum;
  }

  @Override
  public void open(GradientQuery next, Opening opening) {
    query = next;
    gradients.open(next, opening);
  }

  @Override
  public void add(Example example, long place) {
    NormBins bins = query.norms();
    if (bins == null) {
      gradients.add(example, place);
    } else {
      sum.addAxis(bins.axis(norms.of(example, query)));
    }
  }

  @Override
  public void recycle() {
    gradients.recycle();
  }
}
