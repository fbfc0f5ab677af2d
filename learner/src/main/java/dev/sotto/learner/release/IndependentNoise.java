package dev.sotto.learner.release;

import dev.sotto.learner.unit.Contributions;
import dev.sotto.learner.unit.Memory;
import java.util.Optional;

/**
 * Fresh noise on every round's sum: the plain reference. C is the identity, so that the privacy of a
 * record never grows, while the error of a prefix sum grows as the root of the rounds.
 */
final class IndependentNoise implements Mechanism {
  private static final String PURPOSE = "independent";

  @Override
  public String name() {
    return "independent";
  }

  @Override
  public double sensitivity(long rounds) {
    return 1;
  }

  @Override
  public double sensitivityLimit() {
    return 1;
  }

  @Override
  public double sensitivity(long rounds, Contributions bound) {
    return Math.sqrt(bound.within(rounds));
  }

  @Override
  public double sensitivityLimit(Contributions bound) {
    return bound.most() == Long.MAX_VALUE ? Double.POSITIVE_INFINITY : Math.sqrt(bound.most());
  }

  @Override
  public Optional<Memory> memory() {
    return Optional.of(Memory.NONE);
  }

  @Override
  public double prefixVariance(long rounds) {
    return rounds;
  }

  @Override
  public double incrementVariance() {
    return 1;
  }

  @Override
  public NoiseWalk start() {
    return new Walk();
  }

  @Override
  public NoiseWalk resume(Paged state) {
    return new Walk();
  }

  private static final class Walk extends NoiseWalk {
    @Override
    void advance(long round, byte[] digest, KeyedNoise noise, long[] into) {
      noise.add(digest, PURPOSE, round, 1, into);
    }

    @Override
    Paged state(int pageBytes) {
      return Paged.of(new byte[0]);
    }
  }
}
