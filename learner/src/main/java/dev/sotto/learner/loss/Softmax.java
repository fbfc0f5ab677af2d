package dev.sotto.learner.loss;

import dev.sotto.learner.example.Example;
import java.util.Optional;

/**
 * Cross-entropy over several classes: one row of weights for each, and no tail. Labels are the
 * classes' numbers, 0 to {@code classes - 1}. Convex.
 *
 * @param classes 2 to 2^20
 */
public record Softmax(int classes) implements Objective {
  public Softmax {
    new OutputLayer.Classes(classes); // refuses other numbers
  }

  @Override
  public int rows() {
    return classes;
  }

  @Override
  public int tail() {
    return 0;
  }

  @Override
  public boolean admits(double label) {
    return SoftmaxGradient.admits(label, classes);
  }

  /** ||p - e_y||_2 at p = e_k, the other corner. */
  @Override
  public double lipschitz() {
    return Math.sqrt(2);
  }

  /** The largest eigenvalue of diag(p) - p p^T is 1/2 at most: p = (1/2, 1/2, 0, ...). */
  @Override
  public double smoothness() {
    return 0.5;
  }

  /** Noise of 1 in every score costs little where classes are told apart by several. */
  @Override
  public Optional<StepScale> stepScale(double labelRange) {
    return Optional.of(new StepScale(lipschitz() / 2, 1, smoothness()));
  }

  @Override
  public Pass pass() {
    return new SoftmaxPass(classes);
  }

  @Override
  public int outputs() {
    return classes;
  }

  private static final class SoftmaxPass extends ScoredPass {
    private final double[] slopes;

    SoftmaxPass(int classes) {
      super(new SoftmaxGradient(classes));
      slopes = new double[classes];
    }

    @Override
    public void forward(Example example, double[] weights) {
      example.dots(weights, scored.scores());
      scored.scored();
    }

    @Override
    public void backward(double label, double scale, double[] outer, double[] tail) {
      scored.slopes(label, slopes);
      for (int k = 0; k < outer.length; k++) {
        outer[k] += scale * slopes[k];
      }
    }
  }
}
