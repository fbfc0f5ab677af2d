package dev.sotto.learner.loss;

import dev.sotto.learner.example.Example;
import java.util.Objects;
import java.util.Optional;

/**
 * A loss of the inner product of weights and features.
 *
 * @param loss of the score
 */
public record SingleScore(Loss loss) implements Objective {
  public SingleScore {
    Objects.requireNonNull(loss, "loss");
  }

  @Override
  public int rows() {
    return 1;
  }

  @Override
  public int tail() {
    return 0;
  }

  @Override
  public boolean admits(double label) {
    return loss.admits(label);
  }

  @Override
  public double lipschitz() {
    return loss.lipschitz();
  }

  @Override
  public double smoothness() {
    return loss.smoothness();
  }

  @Override
  public Optional<StepScale> stepScale(double labelRange) {
    return loss.stepScale(labelRange);
  }

  @Override
  public Optional<StepScale> measuredScale() {
    return loss.measuredScale();
  }

  @Override
  public Pass pass() {
    return new ScorePass(loss);
  }

  private static final class ScorePass implements Pass {
    private final Loss loss;
    private double score;

    ScorePass(Loss loss) {
      this.loss = loss;
    }

    @Override
    public void forward(Example example, double[] weights) {
      score = example.dot(weights);
    }

    @Override
    public double value(double label) {
      // A loss may be finite where the score is not: such a score stands for nothing.
      return Math.abs(score) < Double.POSITIVE_INFINITY ? loss.value(score, label) : Double.NaN;
    }

    @Override
    public void backward(double label, double scale, double[] outer, double[] tail) {
      outer[0] += scale * loss.slope(score, label);
    }

    @Override
    public double predicted() {
      return loss.predict(score);
    }

    @Override
    public double target(double label) {
      return label;
    }

    @Override
    public boolean isRight(double label) {
      return loss.decidesForOne(score) == side(label);
    }
  }

  /** The decision that a prediction or a label rounds to. */
  static boolean side(double value) {
    return value >= 0.5;
  }
}
