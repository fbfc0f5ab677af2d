package dev.sotto.learner.mechanism;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.participation.ContributionBound;
import dev.sotto.testing.Seed;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TreeSensitivityTest {
  private static final long UNBOUNDED = Long.MAX_VALUE;

  private static double square(long rounds, long most, long separation) {
    double norm = TreeSensitivity.of(rounds, new ContributionBound(most, separation));
    return norm * norm;
  }

  private static void isRootOf(double norm, double square) {
    assertThat(norm).isEqualTo(Math.sqrt(square));
  }

  /**
   * The sum of squares of a schedule, a set of 0-based rounds, over the nodes that are complete.
   */
  private static long value(int rounds, long schedule) {
    long sum = 0;
    for (int size = 1; size <= rounds; size *= 2) {
      for (int end = size; end <= rounds; end += 2 * size) {
        long inside = schedule >>> end - size & (size == 64 ? -1 : (1L << size) - 1);
        sum += (long) Long.bitCount(inside) * Long.bitCount(inside);
      }
    }
    return sum;
  }

  private static int leastGap(long schedule) {
    int least = 64;
    for (long left = schedule; Long.bitCount(left) > 1; left &= left - 1) {
      long next = left & left - 1;
      least = Math.min(least, Long.numberOfTrailingZeros(next) - Long.numberOfTrailingZeros(left));
    }
    return least;
  }

  /** Every schedule of every length, against every bound. */
  @Test
  void agreesWithAnExhaustiveSearch() {
    for (int rounds = 1; rounds <= 14; rounds++) {
      long[][] best = new long[rounds + 1][65]; // by participations and least gap
      for (long schedule = 1; schedule < 1L << rounds; schedule++) {
        int count = Long.bitCount(schedule);
        int gap = leastGap(schedule);
        best[count][gap] = Math.max(best[count][gap], value(rounds, schedule));
      }
      for (int most = 1; most <= rounds + 1; most++) {
        for (int separation = 1; separation <= rounds + 1; separation++) {
          long largest = 0;
          for (int count = 1; count <= Math.min(most, rounds); count++) {
            for (int gap = separation; gap <= 64; gap++) {
              largest = Math.max(largest, best[count][gap]);
            }
          }
          ContributionBound bound = new ContributionBound(most, separation);
          isRootOf(TreeSensitivity.of(rounds, bound), largest);
          assertThat(TreeSensitivity.boundByLevels(rounds, bound).longValueExact())
              .isGreaterThanOrEqualTo(largest);
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "24, 8, 3, 63",
    "9, 3, 4, 10",
    "16, 1, 1, 5",
    "16, 2, 4, 13",
    "16, 3, 4, 21",
    "32, 2, 8, 15",
    "31, 2, 8, 11"
  })
  void hasTheNumbersOfThePage(long rounds, long most, long separation, long square) {
    isRootOf(new BinaryTree().sensitivity(rounds, new ContributionBound(most, separation)), square);
  }

  @Test
  void countsOneParticipationAsTheColumnNormsDo() {
    for (long rounds : new long[] {1, 2, 3, 4, 7, 8, 1000, 1_000_000, UNBOUNDED}) {
      double once = new BinaryTree().sensitivity(rounds);
      assertThat(new BinaryTree().sensitivity(rounds, ContributionBound.ONE)).isEqualTo(once);
    }
  }

  @Test
  void fillsEveryNodeWhereAUnitTakesPartInEveryRound() {
    for (int rounds : new int[] {1, 2, 5, 64, 100, 5000}) {
      double prefixNodes = 0;
      for (long size = 1; size <= rounds; size *= 2) {
        prefixNodes += (rounds / size - rounds / size / 2) * size * size;
      }
      isRootOf(TreeSensitivity.of(rounds, ContributionBound.EVERY_ROUND), prefixNodes);
      isRootOf(TreeSensitivity.of(rounds, new ContributionBound(rounds, 1)), prefixNodes);
    }
  }

  /** No schedule found by chance costs more, in any regime: exact, rounded down, by levels. */
  @Test
  void isNeverBelowAScheduleFoundByChance() {
    Random random = Seed.random(1);
    for (int trial = 0; trial < 12; trial++) {
      int rounds = 1 + random.nextInt(20_000);
      int separation = 1 + random.nextInt(trial % 2 == 0 ? 5 : 2000);
      int most = 1 + random.nextInt(trial % 10 == 0 ? 5000 : 20);
      ContributionBound bound = new ContributionBound(most, separation);
      int[] before = new int[rounds + 1]; // participations in the first so many rounds
      int count = 0;
      int free = random.nextBoolean() ? 1 : 1 + random.nextInt(rounds);
      for (int round = 1; round <= rounds; round++) {
        boolean jump = random.nextInt(4 * separation) == 0;
        if (round >= free && count < most && !jump) {
          count++;
          free = round + separation;
        }
        before[round] = count;
      }
      double found = 0;
      for (int size = 1; size <= rounds; size *= 2) {
        for (int end = size; end <= rounds; end += 2 * size) {
          found += Math.pow(before[end] - before[end - size], 2);
        }
      }
      double stated = TreeSensitivity.of(rounds, bound);
      assertThat(stated).isGreaterThanOrEqualTo(Math.sqrt(found));
    }
  }

  @Test
  void isExactUpToItsLimitsAndCloseBeyond() {
    // b' = 1001 is beyond the limit of 512: rounded down to 1000 = 8 * 125.
    ContributionBound odd = new ContributionBound(UNBOUNDED, 1001);
    double exact = Math.sqrt(new TreeSchedules(1001, 32).worst(20_000, UNBOUNDED));
    assertThat(TreeSensitivity.of(20_000, odd)).isBetween(exact, 1.03 * exact);
    // n = 5000 is beyond 4096: by levels.
    ContributionBound many = new ContributionBound(5000, 4);
    exact = Math.sqrt(new TreeSchedules(4, 5000).worst(1 << 15, UNBOUNDED));
    assertThat(TreeSensitivity.of(1 << 15, many)).isBetween(exact, 1.06 * exact);
    // And here all is within the limits: 64 times 301.
    ContributionBound within = new ContributionBound(64, 301);
    exact = Math.sqrt(new TreeSchedules(301, 64).worst(1 << 15, UNBOUNDED));
    assertThat(TreeSensitivity.of(1 << 15, within)).isEqualTo(exact);
  }

  @Tag("long")
  @Test
  void isCloseWhereBothLimitsArePassed() {
    // 100 times 301, as a power of two 128 times, is beyond 2^15: rounded down to 300 = 4 * 75.
    ContributionBound both = new ContributionBound(100, 301);
    double exact = Math.sqrt(new TreeSchedules(301, 100).worst(1 << 15, UNBOUNDED));
    assertThat(TreeSensitivity.of(1 << 15, both)).isBetween(exact, 1.03 * exact);
  }

  /** A ledger never goes down: also where the answer passes from exact to bounds. */
  @ParameterizedTest
  @CsvSource({"509, 31000, 35000, 37", "1, 4050, 4150, 1", "7, 28600, 28800, 1", "3, 1, 600, 1"})
  void neverFallsAsRoundsAreAdded(long separation, long from, long to, long step) {
    ContributionBound bound = new ContributionBound(UNBOUNDED, separation);
    double before = 0;
    for (long rounds = from; rounds <= to; rounds += step) {
      double now = TreeSensitivity.of(rounds, bound);
      assertThat(now).isGreaterThanOrEqualTo(before);
      before = now;
    }
  }

  @Test
  void growsWithParticipationsAndShrinksWithTheirDistance() {
    for (long rounds : new long[] {37, 64, 1000}) {
      for (long most = 1; most < 12; most++) {
        for (long separation = 1; separation < 40; separation++) {
          double here = square(rounds, most, separation);
          assertThat(square(rounds, most + 1, separation)).isGreaterThanOrEqualTo(here);
          assertThat(square(rounds, most, separation + 1)).isLessThanOrEqualTo(here);
        }
      }
    }
  }

  @Test
  void givesTheSameAnswersInWhateverOrderItIsAsked() {
    TreeSchedules onward = new TreeSchedules(5, 16);
    long[] answers = new long[700];
    Arrays.setAll(answers, t -> t == 0 ? 0 : onward.worst(t, 9));
    Random random = Seed.random(2);
    for (int i = 0; i < 2000; i++) {
      int rounds = 1 + random.nextInt(699);
      assertThat(onward.worst(rounds, 9)).isEqualTo(answers[rounds]);
      if (i % 100 == 0) {
        assertThat(new TreeSchedules(5, 9).worst(rounds, 9)).isEqualTo(answers[rounds]);
      }
    }
  }

  @Test
  void staysFiniteForAnyArguments() {
    for (long most : new long[] {1, 100, 4097, UNBOUNDED}) {
      for (long separation : new long[] {1, 3, 1L << 40, (1L << 40) + 1, UNBOUNDED}) {
        for (long rounds : new long[] {1, 1L << 30, UNBOUNDED}) {
          double norm = TreeSensitivity.of(rounds, new ContributionBound(most, separation));
          assertThat(norm).isGreaterThanOrEqualTo(1).isFinite();
        }
      }
    }
    assertThat(new BinaryTree().sensitivityLimit(ContributionBound.ONE)).isInfinite();
  }

  /** 513 is odd and too large to be exact; rounded up to 514 a third round would not fit. */
  @Test
  void roundsSeparationsDown() {
    long[] held = {1, 514, 1027};
    double square = 0;
    for (long m = 1; m <= 1027; m++) {
      int inNode = 0;
      for (long each : held) {
        inNode += each <= m && each > m - Long.lowestOneBit(m) ? 1 : 0;
      }
      square += inNode * inNode;
    }
    assertThat(TreeSensitivity.of(1027, new ContributionBound(3, 513)))
        .isGreaterThanOrEqualTo(Math.sqrt(square));
  }
}
