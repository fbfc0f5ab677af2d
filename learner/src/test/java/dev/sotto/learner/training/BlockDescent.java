package dev.sotto.learner.training;

import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.optimizer.DifferenceClips;
import dev.sotto.learner.optimizer.Optimizer;
import dev.sotto.learner.optimizer.OptimizerState;
import dev.sotto.learner.release.NoisySum;
import java.util.Arrays;
import java.util.Optional;

/** Gradient descent along the answers of a block's queries, for tests of what feeds it. */
public record BlockDescent(QuerySchedule queries, double rate, DifferenceClips clips)
    implements Optimizer {
  @Override
  public Optional<QuerySchedule> block() {
    return Optional.of(queries);
  }

  @Override
  public OptimizerState start(double[] first) {
    return new Path(first.clone(), first.clone(), 1);
  }

  @Override
  public OptimizerState resume(int dimension, double[] iterates, NoisySum latest) {
    return new Path(
        Arrays.copyOfRange(iterates, 1, 1 + dimension),
        Arrays.copyOfRange(iterates, 1 + dimension, 1 + 2 * dimension),
        (long) iterates[0]);
  }

  @Override
  public String describe() {
    return "descent rate=" + rate + " clips=" + clips;
  }

  @Override
  public DifferenceClips clips(long t) {
    return clips;
  }

  /** The centre itself, and others ever further from it. */
  @Override
  public double[][] points(long query, double[] centre) {
    double[][] points = new double[queries.sampling().points()][];
    for (int m = 0; m < points.length; m++) {
      points[m] = centre.clone();
      points[m][0] += 0.125 * m * query;
    }
    return points;
  }

  private final class Path implements OptimizerState {
    private final double[] weights;
    private final double[] before;
    private long query;

    Path(double[] weights, double[] before, long query) {
      this.weights = weights;
      this.before = before;
      this.query = query;
    }

    @Override
    public double[] weights() {
      return weights;
    }

    @Override
    public double[] point() {
      return weights;
    }

    @Override
    public double[] earlier() {
      return clips == null || query == 1 ? null : before;
    }

    @Override
    public long query() {
      return query;
    }

    @Override
    public void tell(NoisySum answer) {
      System.arraycopy(weights, 0, before, 0, weights.length);
      int points = queries.sampling().points();
      double[] mean = new double[weights.length * points];
      answer.lastMean(mean);
      for (int i = 0; i < mean.length; i++) {
        weights[i % weights.length] -= rate * mean[i] / points;
      }
      query = query == queries.queries() ? 1 : query + 1;
    }

    @Override
    public void unanswered() {
      query++;
    }

    @Override
    public void restart() {
      throw new IllegalStateException("a block has no generations");
    }

    @Override
    public double[] iterates() {
      double[] all = new double[1 + 2 * weights.length];
      all[0] = query;
      System.arraycopy(weights, 0, all, 1, weights.length);
      System.arraycopy(before, 0, all, 1 + weights.length, weights.length);
      return all;
    }
  }
}
