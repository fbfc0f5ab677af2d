package dev.sotto.learner.loss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.testing.Seed;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract of {@link Loss}, over every constant of the enum. */
class LossesTest {
  private static final double[] LABELS = {0, 1, 0.3, -2.5, 40};

  static Stream<Loss> losses() {
    Stream<Loss> defaults = Arrays.stream(Losses.values()).map(Losses::make);
    return Stream.concat(
        defaults,
        Stream.of(
            new Huber(0.25),
            new Huber(7),
            new SmoothedHinge(0.25),
            new SmoothedHinge(3),
            new Quantile(0.1),
            new Quantile(0.75)));
  }

  private static double[] labels(Loss loss) {
    return Arrays.stream(LABELS).filter(loss::admits).toArray();
  }

  /** Scores of several sizes, around the label as well as around 0. */
  private static double score(Random random, double label) {
    double score = random.nextGaussian() * StrictMath.pow(10, random.nextInt(4) - 1);
    return random.nextBoolean() ? score : label + score;
  }

  @ParameterizedTest
  @MethodSource("losses")
  void liesBelowItsChords(Loss loss) {
    Random random = Seed.random(1);
    for (int i = 0; i < 4_000; i++) {
      for (double label : labels(loss)) {
        double a = score(random, label);
        double b = score(random, label);
        double chord = loss.value(a, label) / 2 + loss.value(b, label) / 2;
        assertThat(loss.value(a / 2 + b / 2, label))
            .isLessThanOrEqualTo(chord + 1e-14 * (1 + chord));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("losses")
  void liesAboveItsTangents(Loss loss) {
    assertThat(tangentFaults(loss)).isZero();
  }

  @Test
  void wouldNoticeAWrongSlope() {
    assertThat(tangentFaults(new Bent(new Squared()))).isPositive();
    assertThat(tangentFaults(new Bent(new Logistic()))).isPositive();
    assertThat(tangentFaults(new Bent(new Hinge()))).isPositive();
  }

  private static int tangentFaults(Loss loss) {
    Random random = Seed.random(2);
    int faults = 0;
    for (int i = 0; i < 4_000; i++) {
      for (double label : labels(loss)) {
        double a = score(random, label);
        double b = random.nextBoolean() ? score(random, label) : a + 0.01 * random.nextGaussian();
        double tangent = loss.value(a, label) + loss.slope(a, label) * (b - a);
        double scale = loss.value(a, label) + Math.abs(loss.slope(a, label) * (b - a)) + 1;
        if (!(loss.value(b, label) >= tangent - 1e-14 * scale)) {
          faults++;
        }
      }
    }
    return faults;
  }

  @ParameterizedTest
  @MethodSource("losses")
  void keepsItsLipschitzBoundAndReachesIt(Loss loss) {
    double steepest = 0;
    for (double label : labels(loss)) {
      for (double score = -100; score <= 100; score += 0.125) {
        steepest = Math.max(steepest, Math.abs(loss.slope(score, label)));
      }
    }
    assertThat(steepest).isLessThanOrEqualTo(loss.lipschitz());
    if (loss.lipschitz() < Double.POSITIVE_INFINITY) {
      assertThat(steepest).isGreaterThan(0.999 * loss.lipschitz());
    } else {
      assertThat(steepest).isGreaterThan(100);
    }
  }

  @ParameterizedTest
  @MethodSource("losses")
  void keepsItsSmoothnessBoundAndReachesIt(Loss loss) {
    double h = 0x1p-8;
    double sharpest = 0;
    for (double label : labels(loss)) {
      for (double score = -100; score <= 100; score += h) {
        double change = Math.abs(loss.slope(score + h, label) - loss.slope(score, label));
        sharpest = Math.max(sharpest, change / h);
      }
    }
    assertThat(sharpest).isLessThanOrEqualTo(loss.smoothness() * (1 + 1e-10));
    if (loss.smoothness() < Double.POSITIVE_INFINITY) {
      assertThat(sharpest).isGreaterThan(0.999 * loss.smoothness());
    } else {
      assertThat(sharpest).isGreaterThan(100); // a kink
    }
  }

  @ParameterizedTest
  @MethodSource("losses")
  void hasTheSlopeOfItsValue(Loss loss) {
    Random random = Seed.random(3);
    double h = 0x1p-18;
    int compared = 0;
    for (int i = 0; i < 4_000; i++) {
      for (double label : labels(loss)) {
        double score = 20 * random.nextGaussian();
        double left = loss.slope(score - h, label);
        double right = loss.slope(score + h, label);
        double size = 1 + Math.abs(loss.value(score, label));
        double bend = left + right - 2 * loss.slope(score, label);
        if (Math.abs(right - left) > 3 * h || Math.abs(bend) > 2e-10 * size) {
          continue; // a kink lies between, or the kink of a slope
        }
        double rise = loss.value(score + h, label) - loss.value(score - h, label);
        assertThat(loss.slope(score, label)).isCloseTo(rise / (2 * h), within(3e-10 * size));
        compared++;
      }
    }
    assertThat(compared).isGreaterThan(3_800);
  }

  @ParameterizedTest
  @MethodSource("losses")
  void admitsNoLabelThatIsNotFinite(Loss loss) {
    assertThat(loss.admits(Double.NaN)).isFalse();
    assertThat(loss.admits(Double.POSITIVE_INFINITY)).isFalse();
    assertThat(loss.admits(Double.NEGATIVE_INFINITY)).isFalse();
    assertThat(loss.admits(0)).isTrue();
    assertThat(loss.admits(-0.0)).isTrue();
    assertThat(loss.admits(1)).isTrue();
  }

  @ParameterizedTest
  @MethodSource("losses")
  void isNeverNegativeNorNaN(Loss loss) {
    double[] scores = {0, -0.0, Double.MIN_VALUE, 1e-300, 1, 30, 710, 1e154, 1e200, 1e308};
    for (double label : labels(loss)) {
      for (double magnitude : scores) {
        for (double score : new double[] {magnitude, -magnitude}) {
          assertThat(loss.value(score, label))
              .as("%s at %s", loss, score)
              .isGreaterThanOrEqualTo(0);
          assertThat(loss.slope(score, label)).as("%s at %s", loss, score).isFinite();
          assertThat(loss.predict(score)).as("%s at %s", loss, score).isFinite();
          if (!(loss instanceof Squared)
              && !(loss instanceof Huber)
              && !(loss instanceof Poisson)) {
            assertThat(loss.value(score, label)).as("%s at %s", loss, score).isFinite();
          }
        }
      }
    }
  }

  /** Also where a prediction just below one half is rounded up to it. */
  @ParameterizedTest
  @MethodSource("losses")
  void decidesAsItPredicts(Loss loss) {
    for (int exponent = -1074; exponent < 1024; exponent++) {
      for (double each : new double[] {1, 1.25, 1.999}) {
        for (double score : new double[] {each, -each, 0.5 + each, 0.5 - each}) {
          double scaled = Math.abs(score) == each
              ? Math.scalb(score, exponent)
              : 0.5 + Math.scalb(score - 0.5, exponent);
          assertThat(loss.decidesForOne(scaled)).isEqualTo(loss.predict(scaled) >= 0.5);
        }
      }
    }
    assertThat(loss.decidesForOne(Double.NaN)).isFalse();
    assertThat(new Logistic().decidesForOne(-0x1p-60)).isTrue();
    assertThat(new Logistic().decidesForOne(-0x1p-40)).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void isFoundByItsName(Losses losses) {
    assertThat(Losses.named(losses.configName())).contains(losses);
    assertThat(Losses.named("no such loss")).isEmpty();
    if (!losses.hasParameter()) {
      assertThat(losses.make()).isEqualTo(losses.make(Double.NaN));
    }
  }

  @Test
  void handsTheParameterToThoseThatHaveOne() {
    assertThat(Losses.HUBER.make(0.5)).isEqualTo(new Huber(0.5));
    assertThat(Losses.HINGE.make(Double.NaN)).isEqualTo(new Hinge());
    assertThat(Losses.QUANTILE.make(0.25)).isEqualTo(new Quantile(0.25));
    assertThat(Losses.SMOOTHED_HINGE.make(0.25)).isEqualTo(new SmoothedHinge(0.25));
    assertThat(Losses.QUANTILE.make()).isEqualTo(new Quantile(0.5));
    for (double bad : new double[] {Double.NaN, 0, -1, Double.POSITIVE_INFINITY}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Losses.HUBER.make(bad))
          .withMessage("threshold must be positive and finite, but was " + bad);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Losses.SMOOTHED_HINGE.make(bad))
          .withMessage("smoothing must be positive and finite, but was " + bad);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Losses.QUANTILE.make(bad))
          .withMessage("level must be above 0 and below 1, but was " + bad);
    }
  }

  @Test
  void knowsValuesByHand() {
    assertThat(new Quantile(0.9).value(1, 3)).isEqualTo(1.8);
    assertThat(new Quantile(0.9).value(3, 1)).isEqualTo(0.2, within(1e-15));
    assertThat(new SmoothedHinge(0.5).value(0.75, 1)).isEqualTo(0.0625);
    assertThat(new SmoothedHinge(0.5).value(2, 0)).isEqualTo(2.75);
    assertThat(new Poisson().value(0, 2)).isEqualTo(2 * Math.log(2) - 1, within(1e-15));
    assertThat(new Poisson().value(Math.log(3), 3)).isEqualTo(0, within(1e-15));
    assertThat(new Absolute().slope(2, 2)).isZero();
  }

  /** A loss with its slope a little off: the broken case that the tangent check must find. */
  private record Bent(Loss straight) implements Loss {
    @Override
    public double value(double score, double label) {
      return straight.value(score, label);
    }

    @Override
    public double slope(double score, double label) {
      return 1.01 * straight.slope(score, label);
    }

    @Override
    public boolean admits(double label) {
      return straight.admits(label);
    }

    @Override
    public double lipschitz() {
      return straight.lipschitz();
    }

    @Override
    public double smoothness() {
      return straight.smoothness();
    }

    @Override
    public double predict(double score) {
      return straight.predict(score);
    }
  }
}
