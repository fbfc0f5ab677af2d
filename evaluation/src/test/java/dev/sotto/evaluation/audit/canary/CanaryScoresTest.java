package dev.sotto.evaluation.audit.canary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.testing.Seed;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CanaryScoresTest {
  /**
   * Evidence under noise of which the claim is wrong by a factor, with worlds that are not
   * symmetrical either.
   */
  private static CanaryScores scores(
      int count, double claimed, double stretch, double noise, long seed) {
    SplittableRandom random = Seed.splittable(seed);
    CanaryScores scores =
        new CanaryScores(new double[count], new double[count], new boolean[count], count);
    for (int i = 0; i < count; i++) {
      double separation = claimed * (1 + i % 3);
      boolean in = random.nextBoolean();
      double score = (in ? stretch : 0) * separation + noise * random.nextGaussian();
      scores.separation()[i] = separation;
      scores.evidence()[i] = separation * (score - separation / 2);
      scores.in()[i] = in;
    }
    return scores;
  }

  @Test
  void measuresHowFarTheWorldsLieApart() {
    CanaryScores asClaimed = scores(20_000, 0.3, 1, 1, 1);
    double error = asClaimed.errorOfRatio();
    assertThat(error).isLessThan(0.05);
    assertThat(asClaimed.ratio()).isCloseTo(1, within(5 * error));
    assertThat(scores(20_000, 0.3, 1, 0.5, 2).ratio()).isCloseTo(2, within(5 * 2 * error));
    assertThat(scores(20_000, 0.3, 50, 1, 3).ratio()).isCloseTo(50, within(5.0));
    assertThat(scores(20_000, 0.3, 0, 1, 4).ratio()).isCloseTo(0, within(5 * error));
  }

  @Test
  void errsAsOftenAsItSays() {
    int beyond = 0;
    for (int seed = 0; seed < 400; seed++) {
      CanaryScores scores = scores(400, 0.5, 1, 1, seed);
      beyond += Math.abs(scores.ratio() - 1) > 2 * scores.errorOfRatio() ? 1 : 0;
    }
    assertThat(beyond).isLessThan(18 + 5 * 5); // 4.6 % of 400, and 5 errors
  }

  @Test
  void guessesAtBothEnds() {
    CanaryScores scores = new CanaryScores(
        new double[] {-3, 5, 0.1, -0.2, 4, -9},
        new double[] {1, 1, 1, 1, 1, 1},
        new boolean[] {true, true, false, true, true, false},
        6);
    assertThat(scores.right(1).allRight()).isEqualTo(2);
    assertThat(scores.right(2).allRight()).isEqualTo(3);
    assertThat(scores.right(3).allRight()).isEqualTo(3);
    double first = 1 / (1 + Math.exp(-9)) + 1 / (1 + Math.exp(-5));
    assertThat(scores.expected()[0][1]).isCloseTo(first, within(1e-12));
    assertThat(scores.expected()[0]).hasSize(4);
  }

  @Test
  void guessesEachRunApart() {
    CanaryScores scores = new CanaryScores(
        new double[] {-3, 5, 0.1, 40, 50, -9, 60},
        new double[] {1, 1, 1, 1, 1, 1, 1},
        new boolean[] {true, true, false, true, true, false, false},
        3);
    GuessTally tally = scores.right(1);
    assertThat(tally.right()).containsExactly(1, 2); // the seventh stands for a run that is cut
    assertThat(tally.allGuesses()).isEqualTo(4);
    assertThat(tally.allRight()).isEqualTo(3);
    assertThat(scores.expected()).hasDimensions(2, 2);
    assertThat(tally.even(3).right()).containsExactly(1.5, 1.5);
    assertThat(tally.cautious().right()[1]).isLessThan(2).isPositive();
  }

  @Test
  void expectsWhatHappens() {
    CanaryScores scores = scores(50_000, 0.4, 1, 1, 7);
    double expected = scores.expected()[0][2_000];
    assertThat((double) scores.right(2_000).allRight())
        .isCloseTo(expected, within(5 * Math.sqrt(4_000 * 0.25)));
  }

  @Test
  void guessesAsManyAsProveMost() {
    Guarantee claimed =
        Guarantee.of(PrivacyUnit.RECORD, Adjacency.ZERO_OUT, "independent", 1.2, 1.2, 1e-6);
    for (boolean gaussian : new boolean[] {false, true}) {
      GuessThreshold chosen =
          GuessThreshold.of(scores(20_000, 0.4, 1, 1, 7), new GuessBound(claimed, gaussian, 0.05));
      assertThat(chosen.falseAlarm()).isLessThan(1e-6);
      assertThat(chosen.half()).isBetween(20, 5_000);
    }
    CanaryScores all = scores(51_200, 0.4, 1, 1, 7);
    GuessThreshold apart = GuessThreshold.of(
        new CanaryScores(all.evidence(), all.separation(), all.in(), 512),
        new GuessBound(claimed, true, 0.05));
    assertThat(apart.falseAlarm()).isLessThan(1e-6);
    assertThat(apart.half()).isBetween(8, 256); // a third of them are far apart
  }
}
