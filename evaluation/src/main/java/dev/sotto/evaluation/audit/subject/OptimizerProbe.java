package dev.sotto.evaluation.audit.subject;

import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.optimizer.DifferenceClips;
import dev.sotto.learner.optimizer.NormBins;
import dev.sotto.learner.optimizer.Optimizer;
import dev.sotto.learner.optimizer.OptimizerState;
import dev.sotto.learner.release.NoisySum;

/** Wraps the plan's optimizer and records the noisy sums that it receives. */
final class OptimizerProbe implements Optimizer {
  private final Optimizer inner;
  private final boolean ofPrefixes;
  private double[] recorded = new double[0];
  private int dimension;
  private boolean hasRecorded;

  /**
   * Of a plan's optimizer.
   *
   * @param ofPrefixes whether it is told sums over several rounds or queries
   */
  OptimizerProbe(Optimizer inner, boolean ofPrefixes) {
    this.inner = inner;
    this.ofPrefixes = ofPrefixes;
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
  public QuerySchedule queries() {
    return inner.queries();
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
   * Writes the last noisy mean, times {@code factor}, within a window.
   *
   * @param point of the query, from 0
   */
  void last(AuditSubject.Window window, int point, double factor, double[] into) {
    int start = window.from() + point * dimension;
    if (!hasRecorded) {
      throw new IllegalStateException("no round has been closed yet");
    }
    for (int i = 0; i < window.count(); i++) {
      into[i] = recorded[start + i] * factor;
    }
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
      int points = queries() == null ? 1 : queries().sampling().points();
      if (recorded.length != dimension * points) {
        recorded = new double[dimension * points];
      }
      if (ofPrefixes) {
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
