package dev.sotto.learner.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.accounting.DominatingPair.SampledGaussian;
import dev.sotto.testing.Seed;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.DoublePredicate;
import org.junit.jupiter.api.Test;

/**
 * An attacker who knows everything but one slot and its coins, against the sampler itself: 2 rounds
 * of 10 points, rate 0.05, sigma 1. He says "the slot was there" where the likelihood ratio exceeds
 * e^epsilon, which no other rule betters.
 *
 * <p>Every bound is Clopper and Pearson's at 1e-8; there are 12 of them, so a sound sampler fails
 * once in 8 million runs at most.
 */
class SampledAttackTest {
  private static final int ROUNDS = 2;
  private static final int POINTS = 10;
  private static final double RATE = 0.05;
  private static final double SIGMA = 1;
  private static final int TRIALS = 200_000;
  private static final double CHANCE = 1e-8;

  /** Coins of each point, or one coin for all points of a round. */
  private enum Sampler {
    OWN_COINS,
    SHARED_COIN
  }

  /** One transcript's ln P/Q under the sampler that runs. */
  private static double loss(Sampler sampler, boolean present, SplittableRandom random) {
    double ratio = 1;
    for (int k = 0; k < ROUNDS; k++) {
      boolean shared = random.nextDouble() < RATE;
      double tilt = 0;
      for (int m = 0; m < POINTS; m++) {
        boolean coin = sampler == Sampler.SHARED_COIN ? shared : random.nextDouble() < RATE;
        double answer = (present && coin ? 1 : 0) + SIGMA * random.nextGaussian();
        double one = (answer - 0.5) / (SIGMA * SIGMA);
        if (sampler == Sampler.OWN_COINS) {
          ratio *= 1 - RATE + RATE * Math.exp(one);
        }
        tilt += one;
      }
      if (sampler == Sampler.SHARED_COIN) {
        ratio *= 1 - RATE + RATE * Math.exp(tilt);
      }
    }
    return Math.log(ratio);
  }

  /** The losses of transcripts with the slot, and without. */
  private static double[][] losses(Sampler sampler, long seed) {
    SplittableRandom random = Seed.splittable(seed);
    double[][] losses = new double[2][TRIALS];
    for (int i = 0; i < TRIALS; i++) {
      losses[0][i] = loss(sampler, true, random);
      losses[1][i] = loss(sampler, false, random);
    }
    return losses;
  }

  private static long count(double[] losses, DoublePredicate which) {
    return Arrays.stream(losses).filter(which).count();
  }

  /** The largest delta at epsilon that the transcripts prove, of both orders. */
  private static double proved(double[][] losses, double epsilon, double chance) {
    double removed = ClopperPearson.lower(count(losses[0], each -> each > epsilon), TRIALS, chance)
        - Math.exp(epsilon)
            * ClopperPearson.upper(count(losses[1], each -> each > epsilon), TRIALS, chance);
    double added = ClopperPearson.lower(count(losses[1], each -> each < -epsilon), TRIALS, chance)
        - Math.exp(epsilon)
            * ClopperPearson.upper(count(losses[0], each -> each < -epsilon), TRIALS, chance);
    return Math.max(removed, added);
  }

  private static final PrivacyLossDistribution CLAIM =
      PrivacyLossDistribution.of(new SampledGaussian(RATE, SIGMA)).times(ROUNDS * POINTS);

  /**
   * And it is close: the same transcripts, taken as exact, show more than three quarters of it at an
   * epsilon that enough of them exceed.
   */
  @Test
  void findsNoMoreThanTheAccountantSays() {
    double[][] losses = losses(Sampler.OWN_COINS, 71);
    for (double epsilon : new double[] {0.1, 0.5, 1}) {
      double claimed = CLAIM.delta(epsilon);
      assertThat(proved(losses, epsilon, CHANCE)).isLessThanOrEqualTo(claimed);
    }
    assertThat(proved(losses, 0.1, 0.5)).isGreaterThan(0.75 * CLAIM.delta(0.1));
  }

  /** The twin: one coin for all points of a round, charged as one for each. */
  @Test
  void catchesACoinThatPointsShare() {
    PrivacyLossDistribution truth = PrivacyLossDistribution.of(
            new SampledGaussian(RATE, SIGMA / Math.sqrt(POINTS)))
        .times(ROUNDS);
    double[][] losses = losses(Sampler.SHARED_COIN, 72);
    for (double epsilon : new double[] {0.5, 1}) {
      double proved = proved(losses, epsilon, CHANCE);
      assertThat(proved).isGreaterThan(2 * CLAIM.delta(epsilon));
      assertThat(proved).isLessThanOrEqualTo(truth.delta(epsilon));
    }
  }

  /** Of 10 tosses: P(X at most 2) at 0.5 is 56 / 1024. */
  @Test
  void boundsProbabilitiesExactly() {
    assertThat(ClopperPearson.atMost(2, 10, 0.5)).isCloseTo(56.0 / 1024, within(1e-12));
    assertThat(ClopperPearson.upper(0, 100, 0.05))
        .isCloseTo(1 - Math.pow(0.05, 0.01), within(1e-9));
    assertThat(ClopperPearson.lower(100, 100, 0.05)).isCloseTo(Math.pow(0.05, 0.01), within(1e-9));
    assertThat(ClopperPearson.upper(5, 5, 0.05)).isEqualTo(1);
  }
}
