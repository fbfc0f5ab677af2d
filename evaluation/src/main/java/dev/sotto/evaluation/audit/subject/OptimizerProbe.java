package dev.sotto.evaluation.audit.subject;

import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.mechanism.Released;
import dev.sotto.learner.optimizer.DifferenceClips;
import dev.sotto.learner.optimizer.NormBins;
import dev.sotto.learner.optimizer.Optimizer;
import dev.sotto.learner.optimizer.OptimizerState;
import dev.sotto.learner.release.NoisySum;
import dev.sotto.learner.training.Plan;
import java.util.Optional;

/** Wraps the plan's optimizer and records the noisy sums, or averages, that it receives. */
final class OptimizerProbe implements Optimizer {
  private final Optimizer inner;
  private final Released released;
  private double[] recorded = new double[0];
  private int dimension;
  private boolean hasRecorded;
  private double[] begun; // where the last path did; null where slots are added up

  /** Of a plan's optimizer. */
  OptimizerProbe(Plan plan) {
    this.inner = plan.optimizer();
    this.released = plan.mechanism().released();
  }

  @Override
  public OptimizerState start(double[] first) {
    return new RecordingState(inner.start(first));
  }

  @Override
  public OptimizerState resume(int dimension, double[] iterates, NoisySum latest) {
    return new RecordingState(inner.resume(dimension, iterates, latest));
  }

  @Override
  public String describe() {
    return inner.describe();
  }

  @Override
  public boolean isRecursive() {
    return inner.isRecursive();
  }

  @Override
  public double scale(long t) {
    return inner.scale(t);
  }

  @Override
  public Optional<QuerySchedule> block() {
    return inner.block();
  }

  @Override
  public DifferenceClips clips(long t) {
    return inner.clips(t);
  }

  @Override
  public NormBins norms(long t) {
    return inner.norms(t);
  }

  @Override
  public double[][] points(long query, double[] centre) {
    return inner.points(query, centre);
  }

  /**
   * Writes the last noisy mean, times {@code factor}, within a window. With {@link
   * Released#AVERAGE} it is what slots have taken from the point where the path began.
   *
   * @param point of the query, from 0
   */
  void last(AuditSubject.Window window, int point, double factor, double[] into) {
    int first = window.from() + point * dimension;
    if (!hasRecorded) {
      throw new IllegalStateException("no round has been closed yet");
    }
    for (int i = 0; i < window.count(); i++) {
      double mean = recorded[first + i];
      into[i] = (begun == null ? mean : begun[first + i] - mean) * factor;
    }
  }

  /** The last noisy mean. */
  double[] mean() {
    return recorded;
  }

  private final class RecordingState implements OptimizerState {
    private final OptimizerState state;

    RecordingState(OptimizerState state) {
      this.state = state;
    }

    @Override
    public double[] earlier() {
      return state.earlier();
    }

    @Override
    public double gradientFactor() {
      return state.gradientFactor();
    }

    @Override
    public long query() {
      return state.query();
    }

    @Override
    public double[] weights() {
      return state.weights();
    }

    @Override
    public double[] point() {
      return state.point();
    }

    @Override
    public void tell(NoisySum answer) {
      dimension = state.weights().length;
      begun = released == Released.AVERAGE ? state.point().clone() : null;
      int points = block().map(each -> each.sampling().points()).orElse(1);
      if (recorded.length != dimension * points) {
        recorded = new double[dimension * points];
      }
      if (released == Released.PREFIX) {
        answer.mean(recorded);
      } else {
        answer.lastMean(recorded);
      }
      state.tell(answer);
      hasRecorded = true;
    }

    @Override
    public void unanswered() {
      state.unanswered();
    }

    @Override
    public void restart() {
      state.restart();
    }

    @Override
    public double[] iterates() {
      return state.iterates();
    }
  }
}
