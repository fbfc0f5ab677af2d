package dev.sotto.learner.optimizer.momentum;

import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.optimizer.AdviceInputs;
import dev.sotto.learner.optimizer.DifferenceClips;
import dev.sotto.learner.optimizer.Optimizer;
import dev.sotto.learner.optimizer.OptimizerState;
import dev.sotto.learner.release.NoisySum;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Normalised gradient descent on a block, whose later queries ask for changes of gradients: these
 * are smaller, and so is their noise. {@code W = mean of h(w_1)}, then {@code W <- (1 - gamma) W +
 * mean of ((1 - gamma) c_a(h(w) - h(w')) + gamma h(w))}, w' the point before, and {@code w <- w -
 * eta W / |W|}. The full-batch form of Tran, Cutkosky, "Momentum Aggregation for Private Non-convex
 * ERM" (docs/momentum.md, "Full batches"). A block begins at the last point of the one before;
 * nothing else goes from one to the next.
 *
 * @param schedule its numbers
 * @param queries of the schedule
 */
public record SensitivityReducedNsgd(FullBatchSchedule schedule, QuerySchedule queries)
    implements Optimizer {
  public SensitivityReducedNsgd(FullBatchSchedule schedule) {
    this(schedule, schedule.schedule());
  }

  @Override
  public Optional<QuerySchedule> block() {
    return Optional.of(queries);
  }

  @Override
  public List<String> advice(AdviceInputs of) {
    return of.needNotBeConvex();
  }

  @Override
  public String describe() {
    return schedule.describe();
  }

  private boolean asksForChanges(long query) {
    return query > 1 && schedule.share() < 1;
  }

  @Override
  public DifferenceClips clips(long query) {
    return asksForChanges(query)
        ? new DifferenceClips(schedule.clip(), schedule.difference(), schedule.share())
        : null;
  }

  /** C / u for later queries: one clip and one noise scale serve all. */
  @Override
  public double scale(long query) {
    return asksForChanges(query) ? schedule.clip() / schedule.bound() : 1;
  }

  @Override
  public OptimizerState start(double[] first) {
    return new Path(first.clone(), 1);
  }

  @Override
  public OptimizerState resume(int dimension, double[] iterates, NoisySum latest) {
    if (iterates.length != dimension + 1 && iterates.length != 3 * dimension + 1) {
      throw new IllegalArgumentException("the algorithm keeps " + (dimension + 1) + " or "
          + (3 * dimension + 1) + " numbers for " + dimension + " weights, but there were "
          + iterates.length);
    }
    Path path = new Path(Arrays.copyOfRange(iterates, 1, dimension + 1), (long) iterates[0]);
    if (iterates.length > dimension + 1) {
      System.arraycopy(iterates, dimension + 1, path.before, 0, dimension);
      System.arraycopy(iterates, 2 * dimension + 1, path.estimate, 0, dimension);
    }
    return path;
  }

  private final class Path implements OptimizerState {
    private final double[] weights;
    private final double[] before;
    private final double[] estimate; // W
    private final double[] answered;
    private long query;

    Path(double[] weights, long query) {
      this.weights = weights;
      this.before = new double[weights.length];
      this.estimate = new double[weights.length];
      this.answered = new double[weights.length];
      this.query = query;
    }

    @Override
    public double[] weights() {
      return weights;
    }

    @Override
    public double[] earlier() {
      return asksForChanges(query) ? before : null;
    }

    @Override
    public long query() {
      return query;
    }

    @Override
    public void tell(NoisySum answer) {
      answer.lastMean(answered);
      double kept = query == 1 ? 0 : 1 - schedule.share();
      double scale = scale(query);
      for (int i = 0; i < estimate.length; i++) {
        estimate[i] = kept * estimate[i] + answered[i] / scale;
      }
      System.arraycopy(weights, 0, before, 0, weights.length);
      NormalizedStep.take(weights, estimate, schedule.step());
      query = query == schedule.queries() ? 1 : query + 1;
    }

    /** A block begins anew by itself. */
    @Override
    public void restart() {
      query = 1;
    }

    @Override
    public double[] iterates() {
      int dimension = weights.length;
      double[] all = new double[query == 1 ? dimension + 1 : 3 * dimension + 1];
      all[0] = query;
      System.arraycopy(weights, 0, all, 1, dimension);
      if (query > 1) {
        System.arraycopy(before, 0, all, dimension + 1, dimension);
        System.arraycopy(estimate, 0, all, 2 * dimension + 1, dimension);
      }
      return all;
    }
  }
}
