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
 * Normalised gradient descent on a block in batches, along an estimate W of the sum of all batches'
 * gradients, each as of its last query: a later query replaces its batch's part e by {@code (1 -
 * gamma) e} and what it is answered. With M_t the noisy sum of the first t queries, n batches and
 * U[a, b] the noisy sums of later ones:
 *
 * <pre>
 * t at most n:  W_t = M_t
 * up to 2 n:    W_t = M_n - gamma M_{t-n} + U[n+1, t]
 * later:        W_t = (1 - gamma) W_{t-n} + U[t-n+1, t]
 * </pre>
 *
 * <p>docs/momentum.md, "Windows". It keeps the points and the estimates of the last n queries.
 *
 * @param schedule its numbers
 * @param queries of the schedule
 */
public record WindowNsgd(WindowSchedule schedule, QuerySchedule queries) implements Optimizer {
  public WindowNsgd(WindowSchedule schedule) {
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
    return query > schedule.batches() && schedule.share() < 1;
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
    return new Path(first.clone(), 0);
  }

  @Override
  public OptimizerState resume(int dimension, double[] iterates, NoisySum latest) {
    Path path = new Path(Arrays.copyOfRange(iterates, 1, dimension + 1), (long) iterates[0]);
    int expected = 1 + dimension * (1 + 2 * path.kept());
    if (iterates.length != expected) {
      throw new IllegalArgumentException("after " + path.answers + " queries the algorithm keeps "
          + expected + " numbers for " + dimension + " weights, but there were "
          + iterates.length);
    }
    int at = dimension + 1;
    for (double[][] rows : new double[][][] {path.points, path.estimates}) {
      for (int i = 0; i < path.kept(); i++, at += dimension) {
        System.arraycopy(iterates, at, rows[i], 0, dimension);
      }
    }
    return path;
  }

  private final class Path implements OptimizerState {
    private final double[] weights;
    private final double[] answered;
    private final double[][] points; // by query modulo n
    private final double[][] estimates;
    private long answers;

    Path(double[] weights, long answers) {
      this.weights = weights;
      this.answered = new double[weights.length];
      this.points = new double[schedule.batches()][weights.length];
      this.estimates = new double[schedule.batches()][weights.length];
      this.answers = answers;
    }

    private int kept() {
      return (int) Math.min(answers, schedule.batches());
    }

    @Override
    public double[] weights() {
      return weights;
    }

    @Override
    public double[] earlier() {
      return asksForChanges(query()) ? points[(int) (answers % schedule.batches())] : null;
    }

    @Override
    public long query() {
      return answers + 1;
    }

    @Override
    public void tell(NoisySum answer) {
      answer.mean(answered);
      int n = schedule.batches();
      long query = answers + 1;
      int place = (int) (answers % n);
      double scale = scale(query);
      double[] old = estimates[place]; // M_{t-n} or W_{t-n}
      double[] all = estimates[n - 1]; // M_n, until query 2 n
      double share = schedule.share();
      for (int i = 0; i < old.length; i++) {
        double before =
            query <= n ? 0 : query < 2L * n ? all[i] - share * old[i] : (1 - share) * old[i];
        old[i] = before + answered[i] / scale;
      }
      System.arraycopy(weights, 0, points[place], 0, weights.length);
      NormalizedStep.take(weights, old, schedule.step());
      answers = query == queries.queries() ? 0 : query;
    }

    /** A block begins anew by itself. */
    @Override
    public void restart() {
      answers = 0;
    }

    @Override
    public double[] iterates() {
      int dimension = weights.length;
      double[] all = new double[1 + dimension * (1 + 2 * kept())];
      all[0] = answers;
      System.arraycopy(weights, 0, all, 1, dimension);
      int at = dimension + 1;
      for (double[][] rows : new double[][][] {points, estimates}) {
        for (int i = 0; i < kept(); i++, at += dimension) {
          System.arraycopy(rows[i], 0, all, at, dimension);
        }
      }
      return all;
    }
  }
}
