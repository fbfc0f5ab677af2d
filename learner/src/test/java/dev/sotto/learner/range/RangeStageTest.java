package dev.sotto.learner.range;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.range.NumberRange.State;
import dev.sotto.testing.Seed;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

/** The stages alone, as pure functions of counts. */
class RangeStageTest {
  private static final double SIGMA = 20; // about that of 14 numbers at epsilon 1
  private static final int SLOTS = 300; // 15 sigma

  /** What three stages of a made stream show, under noise of the given standard deviation. */
  private static NumberRange measured(long salt, double sigma, ToDoubleFunction<Random> value) {
    Random random = Seed.random(salt);
    NumberRange range = NumberRange.UNKNOWN;
    for (RangeStage stage : RangeStage.values()) {
      double[] counts = new double[2 * stage.bins()]; // of the second of two numbers
      for (int i = 0; i < SLOTS; i++) {
        int bin = stage.bin(range, value.applyAsDouble(random));
        if (bin != RangeStage.NOWHERE) {
          counts[stage.bins() + bin]++;
        }
      }
      for (int i = 0; i < counts.length; i++) {
        counts[i] += sigma * random.nextGaussian();
      }
      range = stage.range(range, counts, 1, sigma);
    }
    return range;
  }

  /**
   * How many of 400 draws give a range that is not good. The limits of what follows are passed with
   * probability below 1e-6; the shares beside them are of 20,000 draws.
   */
  private static int odd(long salt, ToDoubleFunction<Random> value, Predicate<NumberRange> good) {
    int odd = 0;
    for (int i = 0; i < 400; i++) {
      NumberRange range = measured(salt + i, SIGMA, value);
      odd += good.test(range) ? 0 : 1;
    }
    return odd;
  }

  private static boolean lies(
      NumberRange range, double leastLo, double mostLo, double leastHi, double mostHi) {
    return range.lo() >= leastLo
        && range.lo() <= mostLo
        && range.hi() >= leastHi
        && range.hi() <= mostHi;
  }

  private static boolean isMeasured(NumberRange range) {
    return range.state() == State.MEASURED;
  }

  @Test
  void uniformNumbersGiveTheirMiddleFourFifths() {
    NumberRange exact = measured(1, 1e-9, random -> 1000 + 60 * random.nextDouble());
    assertThat(exact.lo()).isCloseTo(1006, within(5.0));
    assertThat(exact.hi()).isCloseTo(1054, within(5.0));
    int odd = odd(
        10_000,
        random -> 1000 + 60 * random.nextDouble(),
        range -> isMeasured(range) && lies(range, 950, 1050, 1010, 1110));
    assertThat(odd).isLessThan(110); // 0.141 of all draws
  }

  @Test
  void heavyTailsGiveTheBulk() {
    ToDoubleFunction<Random> pareto = random -> Math.pow(random.nextDouble(), -1); // no mean
    int odd = odd(
        11_000,
        pareto,
        range -> { // 10 and 90 %: 1.1 and 10
          double width = range.hi() - range.lo();
          return isMeasured(range)
              && width >= 0.3
              && width <= 100
              && range.lo() >= -30
              && range.lo() <= 5;
        });
    assertThat(odd).isLessThan(6); // 0.0002
  }

  @Test
  void constantGivesANarrowRangeAroundIt() {
    int odd = odd(12_000, random -> 5, range -> {
      double width = range.hi() - range.lo();
      return width >= 1e-3 && width <= 1 && Math.abs(range.place(5)) < 3;
    });
    assertThat(odd).isLessThan(6); // 0.0001
  }

  /**
   * About one constant of 50 has a wider range, and hardly any number that varies by a twentieth
   * has one as narrow: 40 or more of 400 have a probability below 1e-6.
   */
  @Test
  void rangeOfAConstantIsToldFromOneOfValuesThatDiffer() {
    int wide = 0;
    int narrow = 0;
    for (int salt = 5000; salt < 5400; salt++) {
      double constant = Math.exp(Seed.random(salt).nextDouble() * 14 - 5);
      wide += measured(salt, SIGMA, random -> constant).isNarrow() ? 0 : 1;
      NumberRange other =
          measured(salt, SIGMA, random -> constant * (1 + 0.05 * random.nextDouble()));
      narrow += other.isNarrow() ? 1 : 0;
    }
    assertThat(wide).isLessThan(40);
    assertThat(narrow).isLessThan(40);
    assertThat(NumberRange.of(-0.001, 0.001).isNarrow()).isFalse(); // around 0 nothing is near
    assertThat(NumberRange.of(-5.05, -5).isNarrow()).isTrue();
    assertThat(NumberRange.UNKNOWN.isNarrow()).isFalse();
  }

  @Test
  void zerosAreAnAtom() {
    ToDoubleFunction<Random> zeros = random -> random.nextInt(20) == 0 ? 7 : 0;
    assertThat(odd(15_000, zeros, NumberRange.ATOM::equals)).isLessThan(40); // 0.029
    assertThat(odd(16_000, random -> 1e-13, NumberRange.ATOM::equals)).isLessThan(40); // 0.025
  }

  @Test
  void smallNumbersAreNotLost() {
    NumberRange noisy = measured(42, SIGMA, random -> 1e-9 * (1 + random.nextDouble()));
    assertThat(noisy.state()).isEqualTo(State.MEASURED);
    assertThat(noisy.hi()).isBetween(1e-9, 4e-9);
  }

  @Test
  void identifiersAndHugeNumbersGiveSomeFiniteRange() {
    long[] next = {10_000_000_000_000_000L};
    NumberRange ids = measured(50, SIGMA, random -> next[0]++);
    assertThat(Math.abs(ids.place(next[0]))).isLessThanOrEqualTo(3);
    NumberRange huge = measured(51, SIGMA, random -> 1e300);
    assertThat(huge.state()).isEqualTo(State.MEASURED);
    assertThat(huge.place(1e300)).isEqualTo(3);
    assertThat(huge.place(-1e300)).isEqualTo(-3);
  }

  @Test
  void outliersDoNotWidenTheRange() {
    ToDoubleFunction<Random> withOutliers =
        random -> random.nextInt(100) == 0 ? 1e6 : random.nextGaussian();
    // One sign may not stand out of the noise.
    assertThat(odd(13_000, withOutliers, range -> lies(range, -8, 1, 0, 8)))
        .isLessThan(50); // 0.047
    // The twin: where every second is one, they do.
    ToDoubleFunction<Random> many = random -> random.nextInt(2) == 0 ? 1e6 : random.nextGaussian();
    assertThat(odd(14_000, many, range -> lies(range, -8, 1, 0, 8))).isGreaterThan(50);
  }

  @Test
  void missingNumbersCountNowhere() {
    for (int salt = 70; salt < 80; salt++) {
      NumberRange noisy = measured(
          salt, SIGMA / 2, random -> random.nextBoolean() ? Double.NaN : 10 + random.nextDouble());
      assertThat(noisy.lo()).isBetween(7.0, 11.0);
      assertThat(noisy.hi()).isBetween(10.0, 14.0);
    }
    assertThat(measured(80, SIGMA, random -> Double.NaN)).isEqualTo(NumberRange.UNKNOWN);
    assertThat(RangeStage.OCTAVES.bin(NumberRange.UNKNOWN, Double.POSITIVE_INFINITY))
        .isEqualTo(RangeStage.NOWHERE);
  }

  @Test
  void noiseAloneIsUnknown() {
    // 4 sigma in some window of either sign: about 0.01 of all draws, so seeds are chosen by salt.
    int unknown = 0;
    for (int salt = 100; salt < 120; salt++) {
      unknown += measured(salt, SIGMA, random -> Double.NaN).state() == State.UNKNOWN ? 1 : 0;
    }
    assertThat(unknown).isGreaterThan(10);
  }

  /**
   * Of numbers of one sign a window of the other sign is noise. At 4 standard deviations about one
   * of 70 streams would keep one, at whatever magnitude, and lose its range: 21 of 1500. At 5 it is
   * less than one of 1000: ten or more of them have a probability below 1e-6.
   */
  @Test
  void signThatDoesNotOccurIsNotKept() {
    int spoiled = 0;
    for (int salt = 1000; salt < 2500; salt++) {
      NumberRange noisy = measured(salt, SIGMA, random -> 10 * random.nextDouble());
      spoiled += noisy.lo() < -20 ? 1 : 0;
    }
    assertThat(spoiled).isLessThan(10);
  }

  /** An outer bin has no end: many values there do not say where the range lies. */
  @Test
  void valuesBeyondTheBinsDoNotNarrowTheRange() {
    NumberRange before = NumberRange.of(0, 8); // bins of 1 from -4 to 12
    double[] above = new double[RangeStage.REFINED.bins()];
    above[RangeStage.REFINED.bin(before, 1000)] = 200;
    NumberRange found = RangeStage.REFINED.range(before, above, 0, SIGMA);
    assertThat(found.lo()).isEqualTo(0);
    assertThat(found.hi()).isGreaterThanOrEqualTo(12);
    double[] below = new double[RangeStage.LAST.bins()];
    below[RangeStage.LAST.bin(before, -1000)] = 200;
    found = RangeStage.LAST.range(before, below, 0, SIGMA);
    assertThat(found.lo()).isLessThan(0);
    assertThat(found.hi()).isEqualTo(8);
    double[] inside = new double[RangeStage.REFINED.bins()];
    inside[RangeStage.REFINED.bin(before, 5.5)] = 200;
    found = RangeStage.REFINED.range(before, inside, 0, SIGMA);
    assertThat(found.lo()).isBetween(4.0, 5.5);
    assertThat(found.hi()).isBetween(5.5, 7.0);
  }

  /**
   * Of numbers that move between the stages, one draw of twelve would end with a range of a
   * hundredth of theirs if an outer bin were as good as the others: 43 of 500. None of 20,000 draws
   * does, so ten or more of 500 have a probability below 1e-6.
   */
  @Test
  void numbersThatMoveKeepARange() {
    int narrow = 0;
    for (int salt = 3000; salt < 3500; salt++) {
      int[] at = {0};
      NumberRange noisy = measured(salt, SIGMA / 1.4, random -> {
        double from = at[0]++ / SLOTS == 2 ? 0.03 : 0.06; // half of what it was in the last stage
        return from * (1 + random.nextDouble());
      });
      narrow += noisy.hi() - noisy.lo() < 0.01 ? 1 : 0;
    }
    assertThat(narrow).isLessThan(10);
  }

  @Test
  void everyNumberHasABinBetweenItsEdges() {
    assertThat(OctaveBins.of(0)).isEqualTo(OctaveBins.COUNT / 2);
    for (double x : new double[] {1e-12, 0.3, 1, 7.9, 1e5, 1e12}) {
      assertThat(OctaveBins.of(-x)).isEqualTo(OctaveBins.COUNT - 1 - OctaveBins.of(x));
      double[] counts = new double[OctaveBins.COUNT];
      counts[OctaveBins.of(x)] = 1;
      NumberRange only = OctaveBins.range(counts, 1e-9);
      assertThat(x).isBetween(only.lo() / 1.25, only.hi() * 1.25);
      assertThat(only.hi() / only.lo()).isBetween(1.0, 2.0);
    }
    assertThat(OctaveBins.of(Double.MAX_VALUE)).isEqualTo(OctaveBins.COUNT - 1);
    assertThat(OctaveBins.of(-Double.MAX_VALUE)).isEqualTo(0);
  }

  @Test
  void placesAreContinuousMonotoneAndHaveAnInverse() {
    for (NumberRange range :
        List.of(NumberRange.of(1000, 1060), NumberRange.of(-2, 5), NumberRange.UNKNOWN)) {
      double before = -3;
      for (int i = -400; i <= 400; i++) {
        double x = range.lo() + Math.signum(i) * Math.pow(1.05, Math.abs(i));
        double z = range.place(x);
        assertThat(z).isBetween(before - 1e-12, 3.0);
        before = z;
        if (Math.abs(z) < 2.999 && range.state() == NumberRange.State.MEASURED) {
          assertThat(range.at(z)).isCloseTo(x, within(1e-9 * Math.max(1, Math.abs(x))));
        }
      }
    }
    NumberRange range = NumberRange.of(-1, 1);
    assertThat(range.place(1)).isEqualTo(1);
    assertThat(range.place(-1)).isEqualTo(-1);
    assertThat(range.place(Math.E)).isCloseTo(1.5, within(1e-15));
    assertThat(range.place(1e300)).isEqualTo(3);
    assertThat(NumberRange.ATOM.place(-7)).isEqualTo(-1);
    assertThat(NumberRange.ATOM.place(0)).isEqualTo(0);
    assertThat(NumberRange.UNKNOWN.place(1e6)).isEqualTo(1);
    assertThatThrownBy(() -> NumberRange.of(2, 2)).hasMessageContaining("lo below hi");
  }

  @Test
  void octavesGrowByTwo() {
    assertThat(Octaves.position(0)).isEqualTo(0);
    assertThat(Octaves.position(1.0 / 1024)).isCloseTo(1, within(1e-15));
    assertThat(Octaves.position(-1)).isCloseTo(-Math.log(1025) / Math.log(2), within(1e-12));
    assertThat(Octaves.position(Double.MAX_VALUE)).isEqualTo(50);
    assertThat(Octaves.position(-Double.MAX_VALUE)).isEqualTo(-50);
    for (int knot = 0; knot < Octaves.COUNT; knot++) {
      assertThat(Octaves.position(Octaves.knot(knot))).isCloseTo(knot - 50, within(1e-12));
    }
  }
}
