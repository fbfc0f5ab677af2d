package dev.sotto.learner.participation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.participation.GenerationSchedule.Kind;
import dev.sotto.testing.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorstScheduleTest {
  private static final long ENDLESS = Long.MAX_VALUE;
  private static final SquaredSensitivity INDEPENDENT = (rounds, bound) -> bound.within(rounds);

  private static GenerationSchedule constant(long rounds) {
    return new GenerationSchedule(Kind.CONSTANT, rounds);
  }

  private static GenerationSchedule doubling(long rounds) {
    return new GenerationSchedule(Kind.DOUBLING, rounds);
  }

  private static List<GenerationSchedule> small() {
    List<GenerationSchedule> all = new ArrayList<>(List.of(GenerationSchedule.NONE));
    for (int first = 1; first <= 4; first++) {
      all.add(constant(first));
      all.add(doubling(first));
    }
    return all;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void isTheWorstOfAllSchedules(int which) {
    DenseSensitivity dense = List.of(
            new DenseSensitivity(1, 0, 0, 0, 0, 0, 0, 0, 0, 0), // independent noise
            new DenseSensitivity(1, .6, .5, .4, .4, .3, .2, .1, .1, .1),
            new DenseSensitivity(1, 1, 1, 1, 1, 1, 1, 1, 1, 1))
        .get(which);
    for (GenerationSchedule generations : small()) {
      for (int rounds = 1; rounds <= 10; rounds++) {
        for (int most = 1; most <= 10; most += most < 4 ? 1 : 3) {
          for (int separation = 1; separation <= 4; separation++) {
            ContributionBound bound = new ContributionBound(most, separation);
            double worst = WorstSchedule.worstSquared(generations, rounds, bound, dense);
            double exact = dense.worst(generations, rounds, bound);
            assertThat(worst)
                .as("%s, %s rounds, %s", generations, rounds, bound)
                .isGreaterThanOrEqualTo(exact * (1 - 1e-15));
            if (separation == 1 || generations.kind() == Kind.NONE) {
              assertThat(worst).isCloseTo(exact, within(1e-13 * exact));
            }
          }
        }
      }
    }
  }

  /** f from a table that knows no shape: neither convex nor concave in the participations. */
  private record Table(double[][] values) implements SquaredSensitivity {
    static Table random(Random random, int rounds) {
      double[][] values = new double[rounds + 1][rounds + 1];
      for (int n = 1; n <= rounds; n++) {
        for (int a = 1; a <= rounds; a++) {
          double step = random.nextInt(3) == 0 ? random.nextDouble() : 0;
          values[n][a] = Math.max(values[n - 1][a], values[n][a - 1]) + step;
        }
      }
      return new Table(values);
    }

    @Override
    public double of(long rounds, ContributionBound bound) {
      return values[(int) rounds][(int) bound.within(rounds)];
    }
  }

  private static double slow(
      GenerationSchedule generations, int rounds, int from, long left, long separation, Table f) {
    if (from > generations.of(rounds)) {
      return 0;
    }
    long length = Math.min(generations.last(from), rounds) - generations.start(from) + 1;
    double worst = 0;
    for (long a = 0; a <= Math.min(left, (length - 1) / separation + 1); a++) {
      double here = a == 0 ? 0 : f.of(length, new ContributionBound(a, separation));
      worst = Math.max(worst, here + slow(generations, rounds, from + 1, left - a, separation, f));
    }
    return worst;
  }

  @Test
  void findsTheBestSplitOfAnyFunction() {
    Random random = Seed.random(1);
    int greedyFellShort = 0;
    for (int trial = 0; trial < 150; trial++) {
      int rounds = 1 + random.nextInt(14);
      Table f = Table.random(random, rounds);
      ContributionBound bound = new ContributionBound(1 + random.nextInt(9), 1 + random.nextInt(3));
      for (GenerationSchedule generations : small()) {
        double exact = slow(generations, rounds, 0, bound.within(rounds), bound.separation(), f);
        assertThat(WorstSchedule.worstSquared(generations, rounds, bound, f))
            .isCloseTo(exact, within(1e-14 * exact));
        assertThat(new SplitBound(
                    WorstSchedule.upTo(generations, rounds),
                    bound.within(rounds),
                    bound.separation(),
                    f)
                .value())
            .isBetween(exact, exact + f.values()[rounds][rounds] + 1e-9);
        greedyFellShort += greedy(generations, rounds, bound, f) < exact - 1e-9 ? 1 : 0;
      }
    }
    assertThat(greedyFellShort).isGreaterThan(100);
  }

  /** All in one generation: what the trials must be able to tell from the worst. */
  private static double greedy(
      GenerationSchedule generations, int rounds, ContributionBound bound, Table f) {
    double worst = 0;
    for (int generation = 0; generation <= generations.of(rounds); generation++) {
      long length =
          Math.min(generations.last(generation), rounds) - generations.start(generation) + 1;
      worst = Math.max(worst, f.of(length, bound));
    }
    return worst;
  }

  @Test
  void addsUpUnderIndependentNoiseHoweverItIsCut() {
    for (long most : new long[] {1, 7, 1000, 1_000_000, 1L << 40}) {
      for (long rounds : new long[] {1, 999, 123_456, 1L << 50}) {
        for (GenerationSchedule generations : new GenerationSchedule[] {
          GenerationSchedule.NONE, constant(10), constant(3000), doubling(7)
        }) {
          double worst = WorstSchedule.worstSquared(
              generations, rounds, new ContributionBound(most, 1), INDEPENDENT);
          long exact = Math.min(most, rounds);
          if (most <= WorstSchedule.TRIED || most >= rounds) {
            assertThat(worst).isEqualTo(exact);
          } else {
            assertThat(worst).isBetween(exact * 1., exact * 1.01);
          }
        }
      }
    }
  }

  @Test
  void boundsManyParticipationsCloselyFromAbove() {
    SquaredSensitivity concave = (rounds, bound) ->
        StrictMath.sqrt(bound.within(rounds)) * StrictMath.log1p(Math.min(rounds, 1L << 40));
    SquaredSensitivity convex = (rounds, bound) -> StrictMath.pow(bound.within(rounds), 1.5);
    for (SquaredSensitivity f : List.of(concave, convex, INDEPENDENT)) {
      for (GenerationSchedule generations : List.of(constant(40), constant(700), doubling(5))) {
        for (int most : new int[] {3, 50, 400}) {
          var alike = WorstSchedule.upTo(generations, 3000);
          double exact = new ParticipationSplits(alike, most, 2, f).largest();
          double one =
              f.of(generations.length(generations.of(3000)), new ContributionBound(most, 2));
          assertThat(new SplitBound(alike, most, 2, f).value())
              .isBetween(exact, (exact + one) * (1 + 1e-11));
        }
      }
    }
  }

  /** The price of a split grows as its square, so that the best one fills a generation first. */
  @Test
  void triesEverySplitUpToTheNumberThatItNames() {
    SquaredSensitivity square = (rounds, bound) -> Math.pow(bound.within(rounds), 2);
    ContributionBound tried = new ContributionBound(WorstSchedule.TRIED, 1);
    assertThat(WorstSchedule.worstSquared(constant(1000), 3000, tried, square))
        .isEqualTo(1000 * 1000 + 24 * 24);
    ContributionBound more = new ContributionBound(WorstSchedule.TRIED + 1, 1);
    assertThat(WorstSchedule.worstSquared(constant(1000), 3000, more, square))
        .isGreaterThan(1000 * 1000 + 25 * 25);
  }

  @Test
  void isInfiniteWhereAParticipationIs() {
    SquaredSensitivity endless = (rounds, bound) -> Double.POSITIVE_INFINITY;
    for (int most : new int[] {1, 2000}) {
      ContributionBound bound = new ContributionBound(most, 1);
      assertThat(WorstSchedule.worstSquared(constant(10), 10_000, bound, endless))
          .isInfinite();
    }
  }

  @Test
  void takesTheWorstGenerationForASingleParticipation() {
    SquaredSensitivity f = (rounds, bound) -> Math.min(rounds, 100);
    assertThat(WorstSchedule.worstSquared(constant(30), 7, ContributionBound.ONE, f))
        .isEqualTo(7);
    assertThat(WorstSchedule.worstSquared(constant(30), 1000, ContributionBound.ONE, f))
        .isEqualTo(30);
    assertThat(WorstSchedule.worstSquared(doubling(4), 30, ContributionBound.ONE, f))
        .isEqualTo(16);
    assertThat(WorstSchedule.worstSquared(doubling(4), ENDLESS, ContributionBound.ONE, f))
        .isEqualTo(100);
  }

  @Test
  void addsAllGenerationsUpForAUnitInEveryRound() {
    SquaredSensitivity f = (rounds, bound) -> rounds * rounds;
    assertThat(WorstSchedule.worstSquared(constant(30), 1000, ContributionBound.EVERY_ROUND, f))
        .isEqualTo(33 * 900 + 100);
    assertThat(WorstSchedule.worstSquared(doubling(4), 30, ContributionBound.EVERY_ROUND, f))
        .isEqualTo(16 + 64 + 256 + 4);
    assertThat(WorstSchedule.worstSquared(constant(30), 1000, new ContributionBound(1000, 1), f))
        .isEqualTo(33 * 900 + 100);
  }

  @Test
  void givesTheLimitOfAnEndlessStream() {
    ContributionBound five = new ContributionBound(5, 3);
    assertThat(WorstSchedule.worstSquared(GenerationSchedule.NONE, ENDLESS, five, INDEPENDENT))
        .isEqualTo(5);
    assertThat(WorstSchedule.worstSquared(constant(4), ENDLESS, five, INDEPENDENT))
        .isEqualTo(5);
    assertThat(WorstSchedule.worstSquared(doubling(4), ENDLESS, five, INDEPENDENT))
        .isEqualTo(5);
    SquaredSensitivity tree = (rounds, bound) -> rounds == ENDLESS ? Double.POSITIVE_INFINITY : 3;
    assertThat(WorstSchedule.worstSquared(constant(4), ENDLESS, five, tree)).isEqualTo(15);
    assertThat(WorstSchedule.worstSquared(doubling(4), ENDLESS, five, tree)).isInfinite();
    for (GenerationSchedule generations : List.of(constant(4), doubling(4))) {
      assertThat(WorstSchedule.worstSquared(
              generations, ENDLESS, new ContributionBound(Long.MAX_VALUE, 9), INDEPENDENT))
          .isInfinite();
      ContributionBound many = new ContributionBound(1L << 40, 3);
      assertThat(WorstSchedule.worstSquared(generations, ENDLESS, many, INDEPENDENT))
          .isBetween(0x1p40, 0x1p40 * 1.01);
    }
  }

  @Test
  void growsWithTheRoundsTowardsItsLimit() {
    Random random = Seed.random(2);
    for (int trial = 0; trial < 20; trial++) {
      double root = random.nextDouble();
      SquaredSensitivity f = (rounds, bound) ->
          StrictMath.pow(bound.within(rounds), root) * (2 - 1. / Math.min(rounds, 1L << 40));
      ContributionBound bound =
          new ContributionBound(1 + random.nextInt(12), 1 + random.nextInt(9));
      for (GenerationSchedule generations :
          List.of(constant(6), doubling(2), GenerationSchedule.NONE)) {
        double before = 0;
        for (int rounds = 0; rounds < 200; rounds++) {
          double now = WorstSchedule.worstSquared(generations, rounds, bound, f);
          assertThat(now).isGreaterThanOrEqualTo(before);
          before = now;
        }
        assertThat(WorstSchedule.worstSquared(generations, ENDLESS, bound, f))
            .isGreaterThanOrEqualTo(before * (1 - 1e-15));
      }
    }
  }

  @Test
  void growsWithTheRoundsAlsoWhereItIsABound() {
    SquaredSensitivity f = (rounds, bound) -> StrictMath.pow(bound.within(rounds), 1.2);
    ContributionBound bound = new ContributionBound(5000, 2);
    for (GenerationSchedule generations : List.of(constant(6000), doubling(100))) {
      double before = 0;
      for (int rounds = 1000; rounds < 40_000; rounds += 1999) {
        double now = WorstSchedule.worstSquared(generations, rounds, bound, f);
        assertThat(now).isGreaterThanOrEqualTo(before * (1 - 1e-11));
        before = now;
      }
      assertThat(WorstSchedule.worstSquared(generations, ENDLESS, bound, f))
          .isGreaterThanOrEqualTo(before * (1 - 1e-11));
    }
  }

  @ParameterizedTest
  @CsvSource({"-1, 1", "5, NaN", "5, -1"})
  void refusesWhatIsNoRoundAndNoSquare(long rounds, double value) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WorstSchedule.worstSquared(
            constant(2), rounds, ContributionBound.ONE, (length, bound) -> value))
        .withMessageContaining("must be at least 0, but was");
  }
}
