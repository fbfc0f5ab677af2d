package dev.sotto.learner.release;

import dev.sotto.learner.unit.Contributions;
import dev.sotto.learner.unit.Memory;
import java.util.Optional;

/**
 * How the noise of a prefix sum is put together (privacy.md section 4): a lower-triangular matrix C
 * whose columns say how often, and how strongly, one round's sum is looked at.
 *
 * <p>Sensitivities and variances are for noise of standard deviation 1 and one participation.
 */
public sealed interface Mechanism
    permits IndependentNoise, LaplaceNoise, BinaryTree, HonakerTree, Blt, NoNoise {
  /** The name in configurations and ledgers. */
  String name();

  /** The parameters in one canonical line, empty where there are none: part of fingerprints and ledger entries. */
  default String parameters() {
    return "";
  }

  /** The largest l2 norm of a column of C after so many rounds (at least 1). */
  double sensitivity(long rounds);

  /** The limit of {@link #sensitivity} for an endless stream; infinite where there is none. */
  double sensitivityLimit();

  /**
   * The largest l2 norm of C u over the schedules u that a bound admits, after so many rounds (privacy.md section 5);
   * never less than the truth.
   */
  double sensitivity(long rounds, Contributions bound);

  /** The limit of {@link #sensitivity(long, Contributions)} for an endless stream; infinite where there is none. */
  double sensitivityLimit(Contributions bound);

  /** How a participation goes on to cost, for the per-unit filter; empty where the filter does not apply. */
  default Optional<Memory> memory() {
    return Optional.empty();
  }

  /**
   * Whether the guarantee is a pure epsilon, {@code s / sigma} per participation, rather than a mu: sensitivities then
   * count participations, s is an l1 bound and sigma a scale.
   */
  default boolean isPure() {
    return false;
  }

  /** The norm in which the gradients of one round are clipped, and s is counted. */
  default Norm norm() {
    return isPure() ? Norm.L1 : Norm.L2;
  }

  /** The variance of one coordinate of the noise of the prefix sum of so many rounds. */
  double prefixVariance(long rounds);

  /** The long-run mean square of the change of that noise from one round to the next. */
  double incrementVariance();

  /** The walk of the noise from its beginning. */
  NoiseWalk start();

  /** The walk of the noise from a state that a walk gave, in any pages. */
  NoiseWalk resume(Paged state);

  /** The same from a state in one array. */
  default NoiseWalk resume(byte[] state) {
    return resume(Paged.of(state));
  }
}
