package dev.sotto.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.loss.Softmax;
import dev.sotto.testing.Seed;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.DoubleStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class BaselineTest {
  private static Baseline of(Objective objective, boolean isLogLoss, double... labels) {
    Baseline baseline = Baseline.of(objective, isLogLoss);
    DoubleStream.of(labels).forEach(baseline::add);
    return baseline;
  }

  private static Objective loss(Losses loss) {
    return Objective.of(loss.make());
  }

  @Test
  void isTheEntropyOfClasses() {
    Baseline two = of(loss(Losses.LOGISTIC), true, 1, 0, 0, 0);
    assertThat(two.bestConstant())
        .isCloseTo(-0.25 * Math.log(0.25) - 0.75 * Math.log(0.75), near());
    // Rates before each: 1/2, 3/4, 1/2, 3/8.
    assertThat(two.baseRateSum()).isCloseTo(-Math.log(0.5 * 0.25 * 0.5 * 0.625), near());
    Baseline three = of(new Softmax(3), true, 2, 2, 0);
    assertThat(three.bestConstant())
        .isCloseTo(-2 / 3.0 * Math.log(2 / 3.0) - Math.log(1 / 3.0) / 3, near());
    assertThat(three.baseRateSum())
        .isCloseTo(-Math.log(1 / 3.0 * ((1 + 1 / 3.0) / 2) * (1 / 3.0 / 3)), near());
    assertThat(of(loss(Losses.LOGISTIC), true, 1, 1).bestConstant()).isZero();
  }

  @Test
  void isTheBestScoreOfOtherLosses() {
    Random random = Seed.random(1);
    double[] labels = random.doubles(999, 0, 400).toArray();
    double mean = DoubleStream.of(labels).average().orElseThrow();
    double median = DoubleStream.of(labels).sorted().skip(499).findFirst().orElseThrow();
    assertThat(of(loss(Losses.SQUARED), false, labels).bestConstant())
        .isCloseTo(mean(labels, y -> (y - mean) * (y - mean) / 2), within(1e-6));
    assertThat(of(loss(Losses.ABSOLUTE), false, labels).bestConstant())
        .isCloseTo(mean(labels, y -> Math.abs(y - median)), within(1e-6));
    assertThat(of(loss(Losses.SQUARED), false, 3, 5, 5).baseRateSum())
        .isCloseTo((9 + 4 + 1) / 2.0, near());
  }

  private static double mean(double[] labels, DoubleUnaryOperator of) {
    return DoubleStream.of(labels).map(of).average().orElseThrow();
  }

  @Test
  void isUnknownWithoutLabels() {
    assertThat(of(loss(Losses.SQUARED), false).bestConstant()).isNaN();
    assertThat(of(loss(Losses.POISSON), false, 1, 2).baseRateSum())
        .as("a mean of counts is no log rate")
        .isNaN();
  }

  /** The share of pairs in the right order, by comparing all. */
  @Test
  void areaIsTheShareOfPairsInOrder() {
    Random random = Seed.random(2);
    RankedScores scores = new RankedScores();
    double[] ones = random.doubles(200, 0.2, 0.9).toArray();
    double[] zeros = random.doubles(300, 0.1, 0.8).toArray();
    ones[7] = zeros[9];
    double inOrder = 0;
    for (double one : ones) {
      scores.add(one, true);
      for (double zero : zeros) {
        inOrder += one > zero ? 1 : one == zero ? 0.5 : 0;
      }
    }
    for (double zero : zeros) {
      scores.add(zero, false);
    }
    assertThat(scores.area()).isCloseTo(inOrder / (200 * 300), within(2e-4));
    RankedScores alone = new RankedScores();
    alone.add(0.3, true);
    assertThat(alone.area()).isNaN();
    alone.add(0.3, false);
    assertThat(alone.area()).isEqualTo(0.5);
    alone.add(1, true); // and infinite odds
    assertThat(alone.area()).isEqualTo(0.75);
  }

  private static Offset<Double> near() {
    return within(1e-12);
  }
}
