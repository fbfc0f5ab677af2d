package dev.sotto.app.audit.subject;

import dev.sotto.learner.optim.Course;
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
  public Course start(int dimension) {
    return new Overheard(inner.start(dimension));
  }

  @Override
  public Course resume(int dimension, double[] iterates, NoisySum latest) {
    return new Overheard(inner.resume(dimension, iterates, latest));
  }

  @Override
  public boolean isRecursive() {
    return inner.isRecursive();
  }

  @Override
  public double scale(long t) {
    return inner.scale(t);
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

  private final class Overheard implements Course {
    private final Course course;

    Overheard(Course course) {
      this.course = course;
    }

    @Override
    public double[] weights() {
      return course.weights();
    }

    @Override
    public double[] point() {
      return course.point();
    }

    @Override
    public void tell(NoisySum answer) {
      if (heard.length != answer.dimension()) {
        heard = new double[answer.dimension()];
      }
      answer.mean(heard);
      course.tell(answer);
      listening = true;
    }

    @Override
    public void restart() {
      course.restart();
    }

    @Override
    public double[] iterates() {
      return course.iterates();
    }
  }
}
