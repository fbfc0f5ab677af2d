package dev.sotto.learner.release;

import dev.sotto.learner.unit.Contributions;
import dev.sotto.learner.unit.Memory;
import java.util.Optional;

/**
 * Noise from a buffered linear Toeplitz matrix (blt.md; Dvijotham et al. 2024): each round's draw takes back
 * part of what earlier rounds added, so that a prefix carries far less noise than the sum of fresh draws,
 * while what a record costs has a limit on an endless stream.
 *
 * <p>Sensitivities are exact at every t, also past the horizon for which a set was tuned: there the error
 * grows as sqrt(t), and a plan whose sigma was set for that horizon runs out of budget. They are never below
 * the truth (rounding is paid for) and take O(log t) for any bound. State: buffers + 1 doubles a coordinate.
 */
final class Blt implements Mechanism {
  private final BltParameters parameters;
  private final BltSensitivity sensitivity;
  private final BltInverse inverse;

  Blt(BltParameters parameters) {
    this.parameters = parameters;
    this.sensitivity = new BltSensitivity(parameters);
    this.inverse = parameters.inverse();
  }

  @Override
  public String name() {
    return "blt";
  }

  @Override
  public String parameters() {
    return parameters.toString();
  }

  @Override
  public double sensitivity(long rounds) {
    return sensitivity.of(checked(rounds));
  }

  @Override
  public double sensitivityLimit() {
    return sensitivity.of(Double.POSITIVE_INFINITY);
  }

  @Override
  public double sensitivity(long rounds, Contributions bound) {
    return sensitivity.of(checked(rounds), bound);
  }

  @Override
  public double sensitivityLimit(Contributions bound) {
    return sensitivity.limit(bound);
  }

  private static long checked(long rounds) {
    if (rounds < 1) {
      throw new IllegalArgumentException("rounds must be at least 1, but were " + rounds);
    }
    return rounds;
  }

  @Override
  public Optional<Memory> memory() {
    return Optional.of(parameters.memory());
  }

  @Override
  public double prefixVariance(long rounds) {
    return inverse.prefixVariance(rounds);
  }

  @Override
  public double incrementVariance() {
    return inverse.incrementVariance();
  }

  @Override
  public NoiseWalk start() {
    return new BltWalk(parameters);
  }

  @Override
  public NoiseWalk resume(Paged state) {
    return new BltWalk(parameters, state);
  }
}
