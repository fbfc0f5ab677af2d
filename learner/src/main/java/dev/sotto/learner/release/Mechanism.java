package dev.sotto.learner.release;

/**
 * How the noise of a prefix sum is put together (privacy.md section 4): a lower-triangular matrix C
 * whose columns say how often, and how strongly, one round's sum is looked at.
 *
 * <p>Sensitivities and variances are for noise of standard deviation 1 and one participation.
 */
public sealed interface Mechanism permits IndependentNoise, BinaryTree, NoNoise {
  /** The name in configurations and ledgers. */
  String name();

  /** The largest l2 norm of a column of C after so many rounds (at least 1). */
  double sensitivity(long rounds);

  /** The limit of {@link #sensitivity} for an endless stream; infinite where there is none. */
  double sensitivityLimit();

  /** The variance of one coordinate of the noise of the prefix sum of so many rounds. */
  double prefixVariance(long rounds);

  /** The long-run mean square of the change of that noise from one round to the next. */
  double incrementVariance();

  /** The walk of the noise from its beginning. */
  NoiseWalk start();

  /** The walk of the noise from a state that {@link NoiseWalk#state()} gave. */
  NoiseWalk resume(byte[] state);
}
