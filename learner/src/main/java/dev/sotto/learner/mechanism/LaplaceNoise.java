package dev.sotto.learner.mechanism;

import dev.sotto.learner.key.KeyedNoise;
import dev.sotto.learner.memory.CoordinateRanges;
import dev.sotto.learner.participation.ColumnDecay;
import dev.sotto.learner.participation.ContributionBound;
import java.util.List;
import java.util.Optional;

/**
 * Fresh discrete Laplace noise on every round's sum of gradients clipped in l1: the whole
 * transcript is purely s_1 / scale differentially private for each participation of a unit, without
 * a delta. The error of a prefix sum grows as the root of the rounds.
 *
 * <p>What is sigma elsewhere is the scale here; the standard deviation is sqrt 2 times as large.
 * The scale is rounded up to whole lattice units.
 */
final class LaplaceNoise extends IndependentNoise {
  private static final String PURPOSE = "laplace";

  @Override
  public String name() {
    return "laplace";
  }

  @Override
  public boolean isPure() {
    return true;
  }

  @Override
  public List<String> remarks() {
    return List.of(
        "a pure epsilon, at delta 0. Its sigma is a scale, and its clip an l1 bound, which",
        "clips gradients of many coordinates far more than the same number in l2: its errors",
        "cannot be compared with those of the others.");
  }

  /** How many rounds a unit takes part in: epsilons add up, they do not add in squares. */
  @Override
  public double sensitivity(long rounds, ContributionBound bound) {
    return roundedUp(bound.within(rounds));
  }

  @Override
  public double sensitivityLimit(ContributionBound bound) {
    return bound.most() == Long.MAX_VALUE ? Double.POSITIVE_INFINITY : roundedUp(bound.most());
  }

  private static double roundedUp(long count) {
    double near = count;
    return count <= 1L << 53 ? near : Math.nextUp(near);
  }

  @Override
  public double prefixVariance(long rounds) {
    return 2.0 * rounds;
  }

  @Override
  public double incrementVariance() {
    return 2;
  }

  @Override
  public Optional<ColumnDecay> memory() {
    return Optional.empty();
  }

  @Override
  void add(KeyedNoise noise, byte[] digest, long round, long[] into, CoordinateRanges.Use after) {
    noise.addLaplace(digest, PURPOSE, round, into, after);
  }
}
