package dev.sotto.learner.loss;

import dev.sotto.learner.example.Example;
import java.util.Arrays;
import java.util.Optional;

/**
 * What is minimised, example by example. Weights are a matrix of {@link #rows()} x inputs,
 * row-major, and then a {@link #tail()} of further ones. A gradient is an outer product of a short
 * vector with the features, and a short tail: {@link Pass#backward} gives the two, nobody needs the
 * product. Immutable, so safe for use by several threads.
 */
public interface Objective {
  /** How many rows of the matrix meet the features, at least 1. */
  int rows();

  /** How many weights follow the matrix, 0 or more. */
  int tail();

  /** Whether it is a convex function of the weights. */
  default boolean isConvex() {
    return true;
  }

  /** Whether each input has one weight, and there are no others: a loss of one score. */
  default boolean hasWeightPerInput() {
    return rows() == 1 && tail() == 0;
  }

  /** Whether a label means something here; one that does not makes its slot a null slot. */
  boolean admits(double label);

  /** A pass over examples with buffers of its own, for one thread. */
  Pass pass();

  /** How many figures a prediction has: one, or a probability for each class. */
  default int outputs() {
    return 1;
  }

  /**
   * Writes the public weights from which learning may start; zeros unless those are a bad place.
   */
  default void start(double[] weights) {
    Arrays.fill(weights, 0);
  }

  /**
   * The l2 bound of a gradient at features of norm 1, or infinity where there is none. For utility
   * only: no guarantee rests on it (docs/privacy.md, "What the guarantee rests on").
   */
  double lipschitz();

  /**
   * The largest change of the gradient per change of the weights at features of norm 1, or
   * infinity.
   */
  double smoothness();

  /**
   * What step sizes need to know; empty where it is not known.
   *
   * @param labelRange the difference of the largest and the smallest label; infinite where nobody
   *     knows
   */
  Optional<StepScale> stepScale(double labelRange);

  /**
   * The same where labels are in units of a range that was measured, in which four fifths of them
   * lie, and 0 is its middle; empty of a loss that does not take such labels.
   */
  default Optional<StepScale> measuredScale() {
    return Optional.empty();
  }

  /**
   * The number of weights for a number of features.
   *
   * @throws IllegalArgumentException where it exceeds an int
   */
  default int dimension(int inputs) {
    long weights = (long) rows() * inputs + tail();
    if (inputs < 1 || weights > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "features must be at least 1 and give fewer than 2^31 weights, but " + inputs + " give "
              + weights);
    }
    return (int) weights;
  }

  /**
   * The number of features that have a number of weights.
   *
   * @throws IllegalArgumentException where no number has
   */
  default int inputs(int dimension) {
    long matrix = (long) dimension - tail();
    if (dimension < 1) {
      throw new IllegalArgumentException("dimension must be at least 1, but was " + dimension);
    }
    if (matrix < rows() || matrix % rows() != 0) {
      throw new IllegalArgumentException("dimension must be a multiple of " + rows() + " plus "
          + tail() + ", but was " + dimension);
    }
    return (int) (matrix / rows());
  }

  /** The objective that a loss of one score is: one row, no tail. */
  static Objective of(Loss loss) {
    return new SingleScore(loss);
  }

  /**
   * One example after the other: forward, then whatever is asked of it. Not safe for use by several
   * threads.
   */
  interface Pass {
    /**
     * Computes what an example gives under these weights; all that follows is about this example.
     */
    void forward(Example example, double[] weights);

    /** The loss against a label that {@link Objective#admits} accepts; may be infinite or NaN. */
    double value(double label);

    /**
     * Adds {@code scale} times the gradient against a label.
     *
     * @param outer one entry a row: its product with the features is the matrix's part
     * @param tail one entry for each further weight
     */
    void backward(double label, double scale, double[] outer, double[] tail);

    /**
     * What is predicted: a probability (of several classes that of the likeliest), or a value in
     * the label's unit.
     */
    double predicted();

    /** Writes all figures of the prediction, {@link Objective#outputs()} of them. */
    default void predictions(double[] into) {
      into[0] = predicted();
    }

    /**
     * What {@link #predicted()} should have been: the label, or with several classes whether the
     * likeliest is it.
     */
    double target(double label);

    /** Whether the prediction, rounded to a decision, is right. */
    boolean isRight(double label);
  }
}
