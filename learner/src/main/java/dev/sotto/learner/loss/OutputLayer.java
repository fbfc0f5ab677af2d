package dev.sotto.learner.loss;

import java.util.Objects;
import java.util.Optional;

/** What the scores of a {@link Network} mean. */
public sealed interface OutputLayer {
  /** How many scores there are. */
  int outputs();

  /** Whether a label means something here. */
  boolean admits(double label);

  /** {@link Objective#stepScale} of the scores alone. */
  Optional<StepScale> stepScale(double labelRange);

  /** {@link Objective#measuredScale} of the scores alone. */
  default Optional<StepScale> measuredScale() {
    return Optional.empty();
  }

  /** Buffers for one example after the other. */
  Scored scored();

  /** Scores of one example, and their loss. Not safe for use by several threads. */
  interface Scored {
    /** To be filled, one a score; {@link #scored} must follow. */
    double[] scores();

    /** The scores are filled in. */
    void scored();

    /** The loss against a label. */
    double value(double label);

    /** Writes the gradient with respect to the scores. */
    void slopes(double label, double[] into);

    /** {@link Objective.Pass#predicted}. */
    double predicted();

    /** {@link Objective.Pass#predictions}. */
    default void predictions(double[] into) {
      into[0] = predicted();
    }

    /** {@link Objective.Pass#target}. */
    double target(double label);

    /** {@link Objective.Pass#isRight}. */
    boolean isRight(double label);
  }

  /**
   * One score against a label.
   *
   * @param loss of the score
   */
  record Score(Loss loss) implements OutputLayer {
    public Score {
      Objects.requireNonNull(loss, "loss");
    }

    @Override
    public int outputs() {
      return 1;
    }

    @Override
    public boolean admits(double label) {
      return loss.admits(label);
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
    public Scored scored() {
      return new SingleScoreGradient(loss);
    }
  }

  /**
   * A score for each class; labels are 0 to {@code count - 1}.
   *
   * @param count of classes, 2 to 2^20
   */
  record Classes(int count) implements OutputLayer {
    private static final int MOST = 1 << 20;

    public Classes {
      if (count < 2 || count > MOST) {
        throw new IllegalArgumentException("classes must be 2 to 2^20, but were " + count);
      }
    }

    @Override
    public int outputs() {
      return count;
    }

    @Override
    public boolean admits(double label) {
      return SoftmaxGradient.admits(label, count);
    }

    @Override
    public Optional<StepScale> stepScale(double labelRange) {
      return new Softmax(count).stepScale(labelRange);
    }

    @Override
    public Scored scored() {
      return new SoftmaxGradient(count);
    }
  }
}
