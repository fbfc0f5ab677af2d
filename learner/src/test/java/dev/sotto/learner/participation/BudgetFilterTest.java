package dev.sotto.learner.participation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.participation.GenerationSchedule.Kind;
import dev.sotto.testing.Seed;
import java.math.BigDecimal;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BudgetFilterTest {
  private static final GenerationSchedule NONE = GenerationSchedule.NONE;

  private static Admission filter(double mu, ColumnDecay memory, GenerationSchedule generations) {
    return AdmissionRules.budgeted(new Participation.Budgeted(mu), memory, generations, 1, 0);
  }

  private static int admitted(Admission filter, int records, long apart) {
    byte[] history = null;
    int count = 0;
    for (long i = 0; i < records; i++) {
      byte[] after = filter.admit(history, 1 + i * apart);
      count += after == null ? 0 : 1;
      history = after == null ? history : after;
    }
    return count;
  }

  /**
   * docs/development/figures.md, "BLT": contributions at rounds 0, 100, 350, 1000 counted from
   * 0. What the anytime set commits to is given there as 21.560549433635; with the 1 - theta of
   * that set, 40-digit arithmetic gives 21.5605494280013.
   */
  @ParameterizedTest
  @CsvSource({
    "false, 16.079125934783, 22.549328088629, 23.183716811063, 23.183716856915",
    "true, 8.564835347361, 11.212065036732, 13.185583897226, 21.560549428001",
  })
  void reproducesTheTable(
      boolean anytime, double at1001, double at2000, double at10000, double ever) {
    ColumnDecay memory = anytime ? Memories.ANYTIME : Memories.TEN_BITS;
    BudgetFilter filter = (BudgetFilter) filter(100, memory, NONE);
    byte[] history = null;
    for (long round : new long[] {1, 101, 351, 1001}) {
      history = filter.admit(history, round);
    }
    // the table has 12 decimals
    assertThat(filter.spentAt(history, 1001)).isCloseTo(at1001, within(1e-12 * at1001));
    assertThat(filter.spentAt(history, 2000)).isCloseTo(at2000, within(1e-12 * at2000));
    assertThat(filter.spentAt(history, 10000)).isCloseTo(at10000, within(1e-12 * at10000));
    assertThat(filter.committed(history)).isCloseTo(ever, within(1e-12 * ever));
  }

  @Test
  void commitsASingleParticipationToTheLimitOfTheSensitivity() {
    for (ColumnDecay memory : new ColumnDecay[] {Memories.TEN_BITS, Memories.ANYTIME}) {
      double squared =
          memory == Memories.ANYTIME ? 1.651109113380 * 1.651109113380 : 3.381293442437;
      BudgetFilter filter = (BudgetFilter) filter(2, memory, NONE);
      assertThat(filter.committed(filter.admit(null, 77))).isCloseTo(squared, within(1e-11));
    }
  }

  @Test
  void admitsExactlyAsManyAsFitWhereTheSumsAreExact() {
    var independent = new Participation.Budgeted(1);
    assertThat(admitted(AdmissionRules.budgeted(independent, ColumnDecay.NONE, NONE, .25, 0), 9, 1))
        .isEqualTo(4);
    assertThat(admitted(
            AdmissionRules.budgeted(independent, ColumnDecay.NONE, NONE, .125, .125), 9, 1))
        .isEqualTo(4);
    assertThat(admitted(AdmissionRules.budgeted(independent, ColumnDecay.NONE, NONE, 1, 0), 9, 1))
        .isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, .001, .5, .999})
  void neverAdmitsMoreThanFitWhereTheyAreNot(double beyond) {
    Random random = Seed.random(6);
    for (int trial = 0; trial < 300; trial++) {
      double ratio = 1 / (1 + 40 * random.nextDouble());
      double mu = StrictMath.sqrt(ratio * (2 + random.nextInt(40) + beyond));
      BigDecimal fit = new BigDecimal(mu).pow(2).divideToIntegralValue(new BigDecimal(ratio));
      var rule = new Participation.Budgeted(mu);
      int count = admitted(AdmissionRules.budgeted(rule, ColumnDecay.NONE, NONE, ratio, 0), 50, 3);
      // a sum that ends within a rounding of the budget may be refused, never the other way round
      assertThat(count).isBetween(fit.intValue() - (beyond == 0 ? 1 : 0), fit.intValue());
    }
  }

  @Test
  void admitsAUnitAgainOnceItsPastHasDecayed() {
    ColumnDecay brief = Memories.of(new double[] {.9}, new double[] {.5});
    double mu = AdmissionRules.leastMu(brief, NONE, 1, 0) * 1.45; // room for two apart: 1.45^2 > 2
    Admission filter = filter(mu, brief, NONE);
    byte[] first = filter.admit(null, 1);
    assertThat(filter.admit(first, 2)).isNull();
    assertThat(filter.admit(first, 30)).isNotNull();
  }

  @Test
  void countsOnlyTheRowsThatAGenerationHas() {
    GenerationSchedule tens = new GenerationSchedule(Kind.CONSTANT, 10);
    BudgetFilter filter =
        new BudgetFilter(new Participation.Budgeted(9), Memories.TEN_BITS, tens, 1, 0);
    byte[] atTheEnd = filter.admit(null, 10);
    assertThat(filter.committed(atTheEnd)).isEqualTo(1);
    byte[] next = filter.admit(atTheEnd, 11);
    assertThat(filter.spentAt(next, 11)).isEqualTo(2); // a fresh noiseState carries nothing over
    assertThat(filter.committed(next)).isGreaterThan(2.5);
    assertThat(filter.spentAt(next, 20)).isEqualTo(filter.committed(next));
    assertThat(filter.spentAt(next, 1000)).isEqualTo(filter.committed(next));
  }

  /** Rows 1, 1/4, 1/8 and, with what the first participation left, 1 + 1/16. */
  @Test
  void chargesTheLastRoundOfAGenerationWithWhatItsPastAdds() {
    ColumnDecay memory = Memories.of(new double[] {.25}, new double[] {.5});
    BudgetFilter filter =
        (BudgetFilter) filter(100, memory, new GenerationSchedule(Kind.CONSTANT, 4));
    byte[] history = filter.admit(filter.admit(null, 1), 4);
    double exact = 1 + .0625 + .015625 + 1.0625 * 1.0625;
    assertThat(filter.spentAt(history, 4)).isBetween(exact, exact * (1 + 1e-12));
    assertThat(filter.committed(history)).isEqualTo(filter.spentAt(history, 4));
  }

  /** Only rows that pass take anything away from what a unit's past adds. */
  @Test
  void carriesThePastOverAsItIsWhereNoRowLiesBetween() {
    ColumnCarryOver costs =
        new ColumnCarryOver(Memories.of(new double[] {.25}, new double[] {.5}), 1);
    double[] h = {1.5};
    costs.pass(h, 0);
    assertThat(h[0]).isEqualTo(1.5);
    costs.pass(h, 1);
    assertThat(h[0]).isBetween(.75, .75 * (1 + 1e-12));
  }

  /** Powers of few rows are kept, of many are computed: the same bits, or replays would differ. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 1022, 1023, 1024, 1025, 5000})
  void costsTheSameBitsWhetherPowersAreKeptOrComputed(long rows) {
    double theta = .999;
    double omega = .25;
    ColumnDecay memory = Memories.of(new double[] {omega}, new double[] {theta});
    double fall = memory.oneMinusTheta()[0];
    double log = rows * StrictMath.log1p(-fall);
    double[] h = {1.5};
    ColumnCarryOver costs = new ColumnCarryOver(memory, 1);
    double gone = -StrictMath.expm1(log);
    double pair = omega * omega / (fall + fall * (1 - fall));
    assertThat(costs.rows(h, rows))
        .isEqualTo(pair * (h[0] * h[0]) * (gone + gone * (1 - gone)) * (1 + 41 * 0x1p-52));
    costs.pass(h, rows);
    assertThat(h[0]).isEqualTo(1.5 * (StrictMath.exp(log) * (1 + (1 - log) * 0x1p-50)));
  }

  @Test
  void neverForgetsWhatWasSpentInOlderGenerations() {
    Admission filter = filter(2, ColumnDecay.NONE, new GenerationSchedule(Kind.DOUBLING, 3));
    assertThat(admitted(filter, 100, 17)).isEqualTo(4);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 10, 1000})
  void takesTheBeginningOfTheLongestGenerationAsTheLeast(long first) {
    GenerationSchedule constant = new GenerationSchedule(Kind.CONSTANT, first);
    double least = AdmissionRules.leastMu(Memories.TEN_BITS, constant, 1, 0);
    assertThat(filter(least, Memories.TEN_BITS, constant).admit(null, 1)).isNotNull();
    double less = Math.nextDown(least);
    assertThat(new BudgetFilter(new Participation.Budgeted(less), Memories.TEN_BITS, constant, 1, 0)
            .admit(null, 1))
        .isNull();
    assertThat(least).isLessThan(AdmissionRules.leastMu(Memories.TEN_BITS, NONE, 1, 0));
    assertThat(AdmissionRules.leastMu(
            Memories.TEN_BITS, new GenerationSchedule(Kind.DOUBLING, first), 1, 0))
        .isEqualTo(AdmissionRules.leastMu(Memories.TEN_BITS, NONE, 1, 0));
  }

  @Test
  void refusesABudgetThatAdmitsNobodyAndShowsTheArithmetic() {
    double least = AdmissionRules.leastMu(Memories.ANYTIME, NONE, .25, .01);
    assertThat(least * least).isCloseTo(.25 * 2.72616130 + .01, within(1e-8));
    assertThat(AdmissionRules.budgeted(
                new Participation.Budgeted(least), Memories.ANYTIME, NONE, .25, .01)
            .admit(null, 1))
        .isNotNull();
    double less = Math.nextDown(least);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AdmissionRules.budgeted(
            new Participation.Budgeted(less), Memories.ANYTIME, NONE, .25, .01))
        .withMessageContaining("mu must be at least " + least)
        .withMessageContaining("0.25 (s/sigma)^2 times sens^2 = 2.7261613")
        .withMessageContaining("0.01 for metrics")
        .withMessageContaining("but was " + less)
        .withMessageContaining("nobody could ever contribute");
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "-1, 0", "NaN, 0", "Infinity, 0", "1, -1", "1, NaN", "1, Infinity"})
  void refusesRatiosOutOfRange(double ratio, double metrics) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AdmissionRules.budgeted(
            new Participation.Budgeted(9), ColumnDecay.NONE, NONE, ratio, metrics))
        .withMessageContaining("atioSquared must be");
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
  void refusesBudgetsOutOfRange(double mu) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Participation.Budgeted(mu))
        .withMessageContaining("mu must be positive and finite, but was " + mu);
  }

  @Test
  void reachesTheLastRoundThatALongCanCount() {
    for (GenerationSchedule generations : new GenerationSchedule[] {
      NONE,
      new GenerationSchedule(Kind.DOUBLING, 1L << 40),
      new GenerationSchedule(Kind.CONSTANT, 1L << 40)
    }) {
      BudgetFilter filter = (BudgetFilter) filter(3, Memories.ANYTIME, generations);
      byte[] history = filter.admit(filter.admit(null, 1), Long.MAX_VALUE);
      double one = AdmissionRules.leastMu(Memories.ANYTIME, generations, 1, 0);
      assertThat(filter.spentAt(history, Long.MAX_VALUE)).isCloseTo(one * one + 1, within(1e-9));
    }
  }
}
