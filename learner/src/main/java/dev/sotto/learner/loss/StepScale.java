package dev.sotto.learner.loss;

import java.util.Optional;

/**
 * What step sizes need to know of a loss so that nothing has to be tuned (docs/private-ftrl.md,
 * "Steps that follow the noise"). Public numbers, at features of norm 1 and weights of 1; they
 * serve utility only.
 *
 * @param clip the l2 norm to which gradients are cut unless a setting says otherwise
 * @param noise c: the standard deviation of noise in a score that the loss bears at little cost
 * @param curvature beta: the change of a gradient per change of the weights; of a loss with kinks,
 *     that of the loss smoothed over the errors that are common
 * @param autoClip the clip where steps follow the noise: there less noise may gain more than what
 *     it cuts off loses (docs/experiments/hats.md, "The clip")
 */
public record StepScale(double clip, double noise, double curvature, double autoClip) {
  /** Of four fifths of the labels in a range of 1: the whole range is some three times as wide. */
  private static final double NOISE_OF_MEASURED = 0.18;

  /** The residual that is cut, likewise. */
  static final double CLIP_OF_MEASURED = 0.35;

  /** Of a loss with a kink, smoothed over the residual that is cut. */
  static final double CURVATURE_OF_MEASURED = 1 / CLIP_OF_MEASURED;

  public StepScale {
    check("autoClip", autoClip);
    check("clip", clip);
    check("noise", noise);
    check("curvature", curvature);
  }

  /** With the same clip everywhere. */
  public StepScale(double clip, double noise, double curvature) {
    this(clip, noise, curvature, clip);
  }

  /** The same with a share of its clip where steps follow the noise. */
  StepScale withAutoClip(double share) {
    return new StepScale(clip, noise, curvature, share * clip);
  }

  /**
   * Of a loss of the difference of score and label. Differences are far smaller than the range of
   * the labels: noise of a sixteenth of it adds little to them.
   *
   * @param labelRange infinite where nobody knows: then there is none
   */
  static Optional<StepScale> ofResiduals(double labelRange, double clip, double curvature) {
    return labelRange < Double.POSITIVE_INFINITY
        ? Optional.of(new StepScale(clip, labelRange / 16, curvature))
        : Optional.empty();
  }

  /** {@link #ofResiduals} of labels in units of their measured range. */
  static StepScale ofMeasured(double clip, double curvature) {
    return new StepScale(clip, NOISE_OF_MEASURED, curvature);
  }

  private static void check(String what, double value) {
    if (!(value > 0) || value == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException(what + " must be positive and finite, but was " + value);
    }
  }

  /** The same where gradients may be multiplied by weights up to a bound. */
  public StepScale weighted(double largestWeight) {
    return new StepScale(clip, noise, curvature * Math.max(1, largestWeight), autoClip);
  }
}
