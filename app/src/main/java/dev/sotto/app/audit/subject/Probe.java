package dev.sotto.app.audit.subject;

import dev.sotto.learner.optim.Optimizer;
import dev.sotto.learner.release.NoisySum;

/** The plan's own optimizer, overheard: it sees noisy sums only, and so does whoever listens. */
final class Probe implements Optimizer {
  private final Optimizer inner;
  private double[] heard = new double[0];
  private boolean listening;

  Probe(Optimizer inner) {
    this.inner = inner;
  }

  @Override
  public void start(double[] weights) {
    inner.start(weights);
  }

  @Override
  public void tell(NoisySum answer, double[] anchor, double[] weights) {
    if (heard.length != answer.dimension()) {
      heard = new double[answer.dimension()];
    }
    answer.mean(heard);
    inner.tell(answer, anchor, weights);
    listening = true;
  }

  /** Writes the last noisy mean, times {@code factor}, within a window. */
  void last(Subject.Window window, double factor, double[] into) {
    if (!listening) {
      throw new IllegalStateException("no round has been closed yet");
    }
    for (int i = 0; i < window.count(); i++) {
      into[i] = heard[window.from() + i] * factor;
    }
  }
}
