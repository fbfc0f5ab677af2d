package dev.sotto.learner.training;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.loss.SingleScore;
import dev.sotto.learner.release.GradientSum;
import dev.sotto.learner.release.OpenSum;
import java.util.Arrays;

/** Gradients of any objective, by passes over its scores, and the metrics of the same pass. */
final class PassGradients implements SlotSums {
  private final Objective.Pass pass;
  private final boolean scored; // a gradient is a multiple of the features
  private final double[] outer;
  private final double[] tail;
  private final DifferenceGradients differences;
  private final RoundMetrics metrics;
  private final GradientSum sum;
  private GradientQuery query;

  PassGradients(Objective objective, RoundMetrics metrics, GradientSum sum) {
    this.pass = objective.pass();
    this.scored = objective instanceof SingleScore;
    this.outer = new double[objective.rows()];
    this.tail = new double[objective.tail()];
    this.differences = new DifferenceGradients(objective);
    this.metrics = metrics;
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
  }

  @Override
  public void add(Example example, long place) {
    Arrays.fill(outer, 0);
    Arrays.fill(tail, 0);
    pass.forward(example, query.point());
    metrics.add(pass, example.label());
    if (query.clips() != null) {
      differences.map(example, query, outer, tail);
    } else {
      addScaled(example);
    }
    if (scored) {
      sum.add(example, outer[0]);
    } else {
      sum.add(example, outer, tail);
    }
  }

  private void addScaled(Example example) {
    double weight = example.weight();
    pass.backward(example.label(), weight * query.scale(), outer, tail);
    if (query.isDifference()) {
      pass.forward(example, query.previous());
      pass.backward(example.label(), -weight * query.previousScale(), outer, tail);
    }
  }

  @Override
  public void recycle() {
    sum.recycle();
  }
}
