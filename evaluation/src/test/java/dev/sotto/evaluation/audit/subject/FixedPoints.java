package dev.sotto.evaluation.audit.subject;

import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.optimizer.DifferenceClips;
import dev.sotto.learner.optimizer.NormBins;
import dev.sotto.learner.optimizer.Optimizer;
import dev.sotto.learner.optimizer.OptimizerState;
import dev.sotto.learner.release.NoisySum;
import java.util.Arrays;
import java.util.Optional;

/**
 * Asks the queries of a block at points that are fixed beforehand, and learns nothing: what its
 * queries cost does not depend on where they are asked.
 *
 * @param queries of a block
 * @param clips of differences; null where no query is one, and all are asked at zero
 * @param counts what the last query counts; null where all sum gradients
 */
public record FixedPoints(QuerySchedule queries, DifferenceClips clips, NormBins counts)
    implements Optimizer {
  /** Queries that all sum gradients. */
  public FixedPoints(QuerySchedule queries, DifferenceClips clips) {
    this(queries, clips, null);
  }

  private static final double FAR = 0x1p21;

  /**
   * Every coordinate of the point of a query, in turn zero, far up, zero, far down. The score of a
   * canary there is 0, 2 or -2 in some order, between which every loss changes its slope.
   */
  static double coordinate(long query) {
    return query % 2 == 1 ? 0 : query % 4 == 2 ? FAR : -FAR;
  }

  @Override
  public OptimizerState start(double[] first) {
    return new Path(first.length, 1);
  }

  @Override
  public OptimizerState resume(int dimension, double[] iterates, NoisySum latest) {
    return new Path(dimension, (long) iterates[0]);
  }

  @Override
  public Optional<QuerySchedule> block() {
    return Optional.of(queries);
  }

  @Override
  public String describe() {
    return "fixed points, clips=" + clips + ", counts=" + counts;
  }

  @Override
  public double[][] points(long query, double[] centre) {
    double[][] points = new double[queries.sampling().points()][];
    Arrays.fill(points, centre);
    return points;
  }

  @Override
  public DifferenceClips clips(long t) {
    return clips;
  }

  @Override
  public NormBins norms(long t) {
    return t == queries.queries() ? counts : null;
  }

  private final class Path implements OptimizerState {
    private final double[] weights;
    private final double[] point;
    private final double[] before;
    private long query;

    Path(int dimension, long query) {
      this.weights = new double[dimension];
      this.point = new double[dimension];
      this.before = new double[dimension];
      go(query);
    }

    private void go(long next) {
      query = next;
      if (clips != null) {
        Arrays.fill(point, coordinate(next));
        Arrays.fill(before, coordinate(next - 1));
      }
    }

    @Override
    public double[] weights() {
      return weights;
    }

    @Override
    public double[] point() {
      return point;
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
      go(query == queries.queries() ? 1 : query + 1);
    }

    @Override
    public void unanswered() {
      tell(null);
    }

    @Override
    public void restart() {
      throw new IllegalStateException("a block has no generations");
    }

    @Override
    public double[] iterates() {
      return new double[] {query};
    }
  }
}
