package dev.sotto.learner.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.training.NoisyMetrics;
import dev.sotto.testing.Seed;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CandidateComparisonTest {
  private static final double NOISE = 20;
  private static final int SLOTS = 1_000;

  /** Examples of mean loss 2 rate, each 0 or 2; wrong where the loss is. */
  private static NoisyMetrics window(
      RandomGenerator random, long round, double rate, double stated) {
    double loss =
        IntStream.range(0, SLOTS).filter(i -> random.nextDouble() < rate).count();
    return new NoisyMetrics(
        round,
        round,
        SLOTS,
        2,
        new double[] {
          loss + NOISE * random.nextGaussian(),
          SLOTS - loss + NOISE * random.nextGaussian(),
          loss + NOISE * random.nextGaussian()
        },
        stated);
  }

  /** Whether anything is called better than the first in a run in which all are alike. */
  private static boolean isWrong(int run, boolean byLoss) {
    RandomGenerator random = Seed.splittable(run);
    CandidateComparison all = new CandidateComparison(List.of("a", "b", "c"), byLoss);
    for (long round = 1; round <= 30; round++) {
      for (String each : List.of("a", "b", "c")) {
        all.accept(each, window(random, round, 0.3, NOISE));
      }
      if (all.better("a").isPresent()) {
        return true;
      }
    }
    return false;
  }

  /** Stated are 3 of 300 runs at most; more than 16 in less than 1e-7 of all tests (binomial). */
  @Test
  void callsNothingBetterThatIsNot() {
    assertThat(IntStream.range(0, 300).filter(run -> isWrong(run, true)).count())
        .isLessThanOrEqualTo(16);
    assertThat(IntStream.range(0, 200).filter(run -> isWrong(run, false)).count())
        .isLessThanOrEqualTo(16); // stated 2 of 200; more than 16 in less than 1e-9
  }

  /** The broken twin: what is taken for the whole truth is called better by chance. */
  @Test
  void wouldBeWrongIfNoiseAndChanceWereLeftOut() {
    long wrong = IntStream.range(0, 200)
        .filter(run -> {
          RandomGenerator random = Seed.splittable(run);
          CandidateComparison all = new CandidateComparison(List.of("a", "b"), true);
          all.accept("a", window(random, 1, 0.3, NOISE));
          all.accept("b", window(random, 1, 0.3, NOISE));
          return all.losses().get("b").mean() < all.losses().get("a").mean();
        })
        .count();
    assertThat(wrong).isGreaterThan(32);
  }

  @Test
  void findsTheBetterOneWithinWindowsAndSticksToIt() {
    for (boolean byLoss : new boolean[] {true, false}) {
      RandomGenerator random = Seed.splittable(5);
      CandidateComparison all = new CandidateComparison(List.of("a", "b"), byLoss);
      long found = -1;
      for (long round = 1; round <= 64; round++) {
        all.accept("a", window(random, round, 0.35, NOISE));
        all.accept("b", window(random, round, 0.25, NOISE));
        assertThat(all.better("b")).isEmpty();
        if (found < 0 && all.better("a").isPresent()) {
          found = round;
          assertThat(all.better("a")).contains("b");
        }
      }
      assertThat(found).isBetween(1L, 40L);
      assertThat(all.lowest()).contains("b");
    }
  }

  @Test
  void comparesTheSameSlotsOnly() {
    RandomGenerator random = Seed.splittable(1);
    CandidateComparison all = new CandidateComparison(List.of("a", "b"), true);
    assertThat(all.losses()).isEmpty();
    assertThat(all.lowest()).isEmpty();
    all.accept("a", window(random, 1, 0.3, NOISE));
    all.accept("stranger", window(random, 1, 0.3, NOISE));
    assertThat(all.losses()).isEmpty();
    all.accept("b", window(random, 2, 0.3, NOISE));
    assertThat(all.losses()).isEmpty();
    all.accept("b", window(random, 1, 0.3, NOISE));
    assertThat(all.losses().get("b").lastRound()).isEqualTo(1);
    all.restart("b");
    assertThat(all.losses()).isEmpty();
  }
}
