package dev.sotto.learner.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.accounting.DominatingPair.Gaussian;
import dev.sotto.learner.accounting.DominatingPair.SampledGaussian;
import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.QueryMechanism;
import dev.sotto.learner.mechanism.QueryNoise;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.mechanism.QuerySchedule.Sampling;
import dev.sotto.learner.mechanism.QuerySchedule.Segment;
import dev.sotto.learner.mechanism.SampledQueryNoise;
import dev.sotto.learner.mechanism.SampledSums;
import dev.sotto.learner.participation.ContributionBound;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.participation.Participation;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What secretly sampled queries are charged (docs/privacy.md, "Sampled queries"). */
class SampledAccountantTest {
  private static final double DELTA = 1e-6;
  private static final Participation ONCE = new Participation.Once();

  private static QueryMechanism queries(long number, int points, double rate) {
    return QueryMechanism.ofQueries(
        QuerySchedule.sampled(2000, number, new Sampling(points, rate)));
  }

  private static PrivacyAccountant account(
      Mechanism mechanism,
      double sigma,
      Adjacency adjacency,
      Participation participation,
      double spentMu) {
    return new PrivacyAccountant(
        new AccountedNoise(mechanism, 3, 3 * sigma, adjacency), // clip 3: only the ratio counts
        AccountedContribution.of(participation, GenerationSchedule.NONE),
        0,
        DELTA,
        spentMu);
  }

  private static PrivacyAccountant zeroing(Mechanism mechanism, double sigma) {
    return account(mechanism, sigma, Adjacency.ZERO_OUT, ONCE, 0);
  }

  private static Participation scheduled(long most, long separation) {
    return new Participation.Scheduled(new ContributionBound(most, separation));
  }

  /** Check 10 of the page: rate, sigma, queries, points, epsilon; the others: SampledLossesTest. */
  @ParameterizedTest
  @CsvSource("0.05, 4.946, 28, 16, 0.925, 0.001") // the last is an error
  void chargesEverySumOfABlock(
      double rate, double sigma, long number, int points, double epsilon, double error) {
    QueryMechanism mechanism = queries(number, points, rate);
    PrivacyAccountant account = zeroing(mechanism, sigma);
    Guarantee guarantee = account.guarantee(1);
    assertThat(guarantee.epsilon()).isCloseTo(epsilon, within(error));
    assertThat(guarantee.mechanism()).isEqualTo("sampled-queries");
    assertThat(guarantee.delta()).isEqualTo(DELTA);
    assertThat(account.accountant()).isEqualTo(AccountingMethod.PRIVACY_LOSS_DISTRIBUTION);
    // mu is that without sampling: true, and of no use.
    double mu = Math.sqrt(number * points) / sigma;
    assertThat(guarantee.mu()).isBetween(mu, mu * (1 + 1e-11));
    assertThat(guarantee.mu()).isEqualTo(guarantee.muLimit());
    assertThat(account.matrixSensitivity(1)).isEqualTo(mechanism.sensitivity(1));
    // One record, in one block of however many.
    assertThat(account.guarantee(1000)).isEqualTo(guarantee);
    assertThat(guarantee.epsilonLimit()).isEqualTo(guarantee.epsilon());
  }

  /** Check 10 of the page: NM = 100 sums at sigma 20 are mu 0.5, replaced 1. */
  @Test
  void chargesSumsOfAllSlotsAsOneGaussian() {
    QueryNoise whole = (QueryNoise) queries(10, 10, 1);
    double noise = whole.noise(1);
    assertThat(noise).isCloseTo(10, within(1e-9)); // 2 sigma each: one participation is s / sigma
    PrivacyAccountant zeroing = zeroing(whole, 20 / noise);
    assertThat(zeroing.guarantee(1).epsilon()).isCloseTo(2.2541, within(1e-4));
    assertThat(zeroing.mu(1)).isCloseTo(0.5, within(1e-9));
    assertThat(zeroing.accountant()).isEqualTo(AccountingMethod.GAUSSIAN_DP);
    PrivacyAccountant replacing = account(whole, 20 / noise, Adjacency.REPLACE_ONE, ONCE, 0);
    assertThat(replacing.guarantee(1).epsilon()).isCloseTo(4.8866, within(1e-4));
  }

  /** Check 9 of the page: epsilon, mu and its inverse at delta 1e-6. */
  @ParameterizedTest
  @CsvSource({
    "0.5, 0.124106, 8.0576",
    "1,   0.236704, 4.2247",
    "2,   0.448335, 2.2305",
    "3,   0.647727, 1.5439"
  })
  void calibratesGaussiansAsThePage(double epsilon, double mu, double multiplier) {
    assertThat(GaussianDp.mu(epsilon, DELTA)).isCloseTo(mu, within(6e-7));
    assertThat(NoiseCalibration.sigma(
            new Budget(epsilon, DELTA), queries(1, 1, 1), Adjacency.ZERO_OUT, 1, 1))
        .isCloseTo(multiplier, within(6e-5));
  }

  /** Form S of the page: 65536 slots, sigma_i = 2 L eta_i / mu, eta = 1 / 256, by fours. */
  @Test
  void hasTheScheduleOfCheckNine() {
    double[] expected = {3.3005e-2, 8.2513e-3, 2.0628e-3, 5.1571e-4};
    for (int i = 0; i < 4; i++) {
      double eta = 1.0 / 256 / Math.pow(4, i);
      double sigma = NoiseCalibration.sigma(
          new Budget(1, DELTA), queries(1, 1, 1), Adjacency.REPLACE_ONE, eta, 1);
      assertThat(sigma).isCloseTo(expected[i], within(1e-4 * expected[i]));
    }
    assertThat(2 / (256 * Math.sqrt(2 / Math.PI))).isCloseTo(9.79e-3, within(5e-6));
  }

  /** k participations are k times as many sums; a separation lets fewer in. */
  @Test
  void composesTheParticipationsOfAUnit() {
    QueryMechanism mechanism = queries(4, 8, 0.05);
    PrivacyAccountant thrice = account(mechanism, 2, Adjacency.ZERO_OUT, scheduled(3, 2), 0);
    double[] expected = new double[4];
    for (int k = 1; k <= 3; k++) {
      expected[k] =
          PrivacyLossDistribution.of(new SampledGaussian(0.05, 2)).times(32 * k).epsilon(DELTA);
      double epsilon = thrice.guarantee(2 * k - 1).epsilon();
      assertThat(epsilon).isCloseTo(expected[k], within(1e-3 * expected[k]));
      assertThat(thrice.guarantee(2 * k).epsilon()).isEqualTo(epsilon);
      assertThat(thrice.mu(2 * k)).isCloseTo(Math.sqrt(32 * k) / 2, within(1e-9));
    }
    assertThat(expected[3]).isGreaterThan(1.3 * expected[1]); // what a twin that forgets would say
    Guarantee last = thrice.guarantee(1000);
    assertThat(last.epsilon()).isEqualTo(last.epsilonLimit());
    assertThat(thrice.guarantee(1).epsilonLimit()).isEqualTo(last.epsilon());
    assertThat(thrice.guarantee(1).muLimit()).isEqualTo(last.mu());
    PrivacyAccountant everIn =
        account(mechanism, 2, Adjacency.ZERO_OUT, scheduled(Long.MAX_VALUE, 1), 0);
    assertThat(everIn.guarantee(3).epsilon()).isEqualTo(last.epsilon());
    assertThat(everIn.guarantee(3).epsilonLimit()).isInfinite();
    double before = 0;
    for (long k = 1; k <= 5; k++) {
      double epsilon = everIn.guarantee(k).epsilon();
      assertThat(epsilon).isGreaterThan(before);
      before = epsilon;
    }
  }

  /** Asked for more rounds than could ever be composed one by one. */
  @Test
  void refusesWhatIsFarBeyondTheBudget() {
    PrivacyAccountant account =
        account(queries(4, 8, 0.05), 2, Adjacency.ZERO_OUT, scheduled(Long.MAX_VALUE, 1), 0);
    Budget budget = new Budget(3, DELTA);
    assertThat(account.allows(budget, 1L << 62)).isFalse();
    assertThat(account.allows(budget, 1)).isTrue();
    double last = account.guarantee(7).epsilon();
    assertThat(account.allows(new Budget(last, DELTA), 7)).isTrue();
    assertThat(account.allows(new Budget(Math.nextDown(last), DELTA), 7)).isFalse();
  }

  @Test
  void chargesReplacingTwoZeroings() {
    QueryMechanism mechanism = queries(28, 16, 0.05);
    double sigma = 9.08;
    double replaced =
        account(mechanism, sigma, Adjacency.REPLACE_ONE, ONCE, 0).guarantee(1).epsilon();
    PrivacyLossDistribution zeroing =
        PrivacyLossDistribution.of(new SampledGaussian(0.05, sigma)).times(448);
    double half = replaced / 2;
    assertThat((1 + Math.exp(half)) * zeroing.delta(half)).isBetween(DELTA * 0.999, DELTA);
    assertThat(replaced).isCloseTo(2 * zeroing.epsilon(3.775e-7), within(1e-3));
    // Where hardly anything is left out, what is known without sampling is better than two halves.
    QueryMechanism most = queries(10, 10, 0.999);
    double unsampled = account(queries(10, 10, 1), 2, Adjacency.REPLACE_ONE, ONCE, 0)
        .guarantee(1)
        .epsilon();
    assertThat(account(most, 20, Adjacency.REPLACE_ONE, ONCE, 0).guarantee(1).epsilon())
        .isBetween(unsampled * (1 - 1e-9), unsampled * (1 + 1e-9));
  }

  /** What the same units have spent is a Gaussian beside. */
  @Test
  void beginsWithWhatWasSpentBefore() {
    QueryMechanism mechanism = queries(28, 16, 0.05);
    PrivacyLossDistribution both = PrivacyLossDistribution.of(new SampledGaussian(0.05, 5))
        .times(448)
        .plus(PrivacyLossDistribution.of(new Gaussian(0.3)));
    PrivacyAccountant account = account(mechanism, 5, Adjacency.ZERO_OUT, ONCE, 0.3);
    assertThat(account.guarantee(1).epsilon())
        .isCloseTo(both.epsilon(DELTA), within(1e-6))
        .isGreaterThan(zeroing(mechanism, 5).guarantee(1).epsilon() * 1.1)
        .isGreaterThan(GaussianDp.epsilon(0.3, DELTA));
    double mu = Math.sqrt(448.0 / 25 + 0.09);
    assertThat(account.mu(1)).isBetween(mu, mu * (1 + 1e-11));
    PrivacyAccountant replacing = account(mechanism, 5, Adjacency.REPLACE_ONE, ONCE, 0.3);
    assertThat(replacing.guarantee(1).epsilon())
        .isCloseTo(both.replacingEpsilon(DELTA), within(1e-6));
    // So much that only what is known without sampling is left.
    double much =
        account(mechanism, 5, Adjacency.ZERO_OUT, ONCE, 100).guarantee(1).epsilon();
    assertThat(much)
        .isCloseTo(GaussianDp.epsilon(Math.sqrt(448.0 / 25 + 1e4), DELTA), within(1e-6));
  }

  /** Segments of different noise are charged with their own; those that only read, with nothing. */
  @Test
  void chargesEachSegmentWithItsNoise() {
    SampledQueryNoise mechanism = new SampledQueryNoise(new QuerySchedule(
        List.of(
            Segment.reading(100), Segment.whole(0, 100, 3, 1), new Segment(0, 100, 1, 2, 4, 2.5)),
        1,
        new Sampling(5, 0.04)));
    assertThat(mechanism.sampledSums())
        .containsExactly(new SampledSums(0.04, 1, 15), new SampledSums(0.04, 2.5, 40));
    assertThat(mechanism.noise(1)).isInfinite();
    assertThat(mechanism.noise(2)).isEqualTo(1);
    assertThat(mechanism.noise(5)).isEqualTo(2.5);
    assertThat(mechanism.queries()).isEqualTo(12);
    assertThat(mechanism.leastNoise()).isEqualTo(1);
    assertThat(mechanism.largestNoise()).isEqualTo(2.5);
    assertThat(mechanism.sensitivity(9)).isCloseTo(Math.sqrt(15 + 40 / 6.25), within(1e-9));
    double epsilon = PrivacyLossDistribution.of(new SampledGaussian(0.04, 1.5))
        .times(15)
        .plus(PrivacyLossDistribution.of(new SampledGaussian(0.04, 3.75)).times(40))
        .epsilon(DELTA);
    assertThat(zeroing(mechanism, 1.5).guarantee(1).epsilon())
        .isCloseTo(epsilon, within(1e-6 * epsilon));
  }

  @ParameterizedTest
  @EnumSource
  void choosesTheLeastNoiseThatFits(Adjacency adjacency) {
    choosesTheLeastNoise(adjacency, new double[][] {{0.02, 1, 1, 1}});
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource
  void choosesTheLeastNoiseOfManySums(Adjacency adjacency) {
    choosesTheLeastNoise(
        adjacency, new double[][] {{0.05, 28, 16, 1}, {0.9, 10, 10, 2}, {0.01, 1000, 5, 8}});
  }

  private static void choosesTheLeastNoise(Adjacency adjacency, double[][] rows) {
    for (double[] each : rows) {
      QueryMechanism mechanism = queries((long) each[1], (int) each[2], each[0]);
      Budget budget = new Budget(each[3], DELTA);
      double sigma = NoiseCalibration.sigma(budget, mechanism, adjacency, 3, 5) / 3;
      assertThat(account(mechanism, sigma, adjacency, ONCE, 0).allows(budget, 5))
          .isTrue();
      assertThat(account(mechanism, sigma * 0.999, adjacency, ONCE, 0).allows(budget, 5))
          .isFalse();
    }
  }

  /** Replacing by two zeroings, of a small epsilon, costs more than coins save. */
  @Test
  void choosesTheNoiseThatFitsWithoutCoinsWhereTheyDoNotHelp() {
    QueryMechanism mechanism = queries(1, 1, 0.1);
    Budget budget = new Budget(0.3, DELTA, 0.05);
    double sigma = NoiseCalibration.sigma(budget, mechanism, Adjacency.REPLACE_ONE, 3, 5) / 3;
    assertThat(account(mechanism, sigma, Adjacency.REPLACE_ONE, ONCE, 0.05).allows(budget, 5))
        .isTrue();
  }

  /** Each trial of the true costs takes long. */
  @ParameterizedTest
  @ValueSource(doubles = {0.7, 1, 1.9, 5})
  void findsTheLeastNoiseInFewTrials(double power) {
    for (double guess : new double[] {Double.NaN, 1e-3, 0.5, 2, 2.9, 40, 500}) {
      int[] trials = {0};
      SampledCalibration search = new SampledCalibration(
          0.1,
          sigma -> {
            trials[0]++;
            return 0.1 * StrictMath.pow(3 / sigma, power); // 0.1 at a sigma of 3
          },
          (sigma, epsilon) -> epsilon <= 0.1);
      double sigma = search.sigma(100, guess);
      assertThat(0.1 * StrictMath.pow(3 / sigma, power)).isBetween(0.1 * (1 - 0x1p-11), 0.1);
      assertThat(trials[0]).isBetween(2, 5);
    }
  }

  /** mu of the limit is what the budget leaves; the noise of the second sums is larger. */
  @ParameterizedTest
  @EnumSource
  void guessesTheNoiseOfTheCentralLimit(Adjacency adjacency) {
    List<SampledSums> sums = List.of(new SampledSums(0.04, 1, 15), new SampledSums(0.02, 2.5, 40));
    Budget budget = new Budget(3, DELTA, 0.2);
    double sigma = SampledCalibration.guess(budget, adjacency, 3, sums, 7) / 3;
    double mu = adjacency == Adjacency.ZERO_OUT
        ? GaussianDp.mu(3, DELTA)
        : GaussianDp.mu(1.5, DELTA / (1 + StrictMath.exp(1.5)));
    double square = 7 * 15 * 0.04 * 0.04 * StrictMath.expm1(1 / (sigma * sigma))
        + 7 * 40 * 0.02 * 0.02 * StrictMath.expm1(1 / (6.25 * sigma * sigma));
    assertThat(square + 0.04).isCloseTo(mu * mu, within(1e-9));
    double none = SampledCalibration.guess(new Budget(3, DELTA, 0.4), adjacency, 3, sums, 7);
    assertThat(Double.isNaN(none)).isEqualTo(0.4 > mu);
  }

  /** What is left beside what was spent; without anything left only what is Gaussian helps. */
  @Test
  void choosesNoiseBesideWhatWasSpent() {
    choosesNoise(Adjacency.ZERO_OUT, 0.4);
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource
  void choosesMoreNoiseWhereMoreWasSpent(Adjacency adjacency) {
    choosesNoise(adjacency, 0, 0.1, 0.4);
  }

  private static void choosesNoise(Adjacency adjacency, double... before) {
    QueryMechanism mechanism = queries(5, 4, 0.1);
    double none = 0; // the noise where less was spent
    for (double spent : before) {
      Budget budget = new Budget(2, DELTA, spent);
      NoiseCalibration calibration =
          new NoiseCalibration(budget, mechanism, adjacency, 3, GenerationSchedule.NONE, 0);
      double sigma = calibration.sigma(new ContributionBound(3, 1), 9) / 3;
      assertThat(account(mechanism, sigma, adjacency, scheduled(3, 1), spent).allows(budget, 9))
          .isTrue();
      assertThat(account(mechanism, sigma * 0.998, adjacency, scheduled(3, 1), spent)
              .allows(budget, 9))
          .isFalse();
      assertThat(sigma).isGreaterThan(none);
      none = sigma;
    }
  }

  /** The same figures, to the bit, from what a ledger entry has. */
  @Test
  void isComputedAgainFromALedger() {
    QueryMechanism mechanism = queries(4, 8, 3.0 / 64);
    for (Adjacency adjacency : Adjacency.values()) {
      PrivacyAccountant account = account(mechanism, 2, adjacency, scheduled(3, 2), 0.1);
      Mechanism read = Mechanisms.of(mechanism.name(), mechanism.parameters());
      assertThat(read.parameters()).isEqualTo(mechanism.parameters());
      Participation participation = Participation.parse(scheduled(3, 2).describe());
      PrivacyAccountant again = account(read, 2, adjacency, participation, 0.1);
      for (long round = 1; round <= 7; round++) {
        assertThat(again.guarantee(round)).isEqualTo(account.guarantee(round));
      }
    }
  }

  @Test
  void refusesWhatSamplingDoesNotGoWith() {
    QueryMechanism mechanism = queries(4, 8, 0.05);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> account(mechanism, 2, Adjacency.ZERO_OUT, new Participation.Budgeted(0.5), 0))
        .withMessageContaining("participation must be once, first-of-id or scheduled with")
        .withMessageContaining("sampled-queries")
        .withMessageContaining("but is budgeted");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PrivacyAccountant(
            new AccountedNoise(mechanism, 1, 2, Adjacency.ZERO_OUT),
            new AccountedContribution(
                PrivacyUnit.RECORD,
                ONCE,
                new GenerationSchedule(GenerationSchedule.Kind.CONSTANT, 5)),
            0,
            DELTA))
        .withMessageContaining("generations must be none");
    for (double metrics : new double[] {0.1, Double.POSITIVE_INFINITY}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new PrivacyAccountant(
              new AccountedNoise(mechanism, 1, 2, Adjacency.ZERO_OUT),
              AccountedContribution.RECORDS,
              metrics,
              DELTA))
          .withMessageContaining("metrics must be absent");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new NoiseCalibration(
                new Budget(1, DELTA),
                mechanism,
                Adjacency.ZERO_OUT,
                1,
                GenerationSchedule.NONE,
                0.1)
            .sigma(ContributionBound.ONE, 1))
        .withMessageContaining("share must be 0");
    QuerySchedule secret = QuerySchedule.sampled(9, 2, new Sampling(2, 0.5));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new QueryNoise(secret))
        .withMessageContaining("rate of block-queries must be 1, but was 0.5");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SampledQueryNoise(QuerySchedule.onePass(3, 4)))
        .withMessageContaining("rate of sampled-queries must be below 1, but was 1.0");
  }

  /** Hardly any noise: sampling is left out of account, and no grid is made. */
  @Test
  void saysSomethingUnderHardlyAnyNoise() {
    for (double sigma : new double[] {0.03, 1e-5, 1e-200}) {
      Guarantee guarantee = zeroing(queries(4, 8, 0.05), sigma).guarantee(1);
      assertThat(guarantee.epsilon())
          .isGreaterThanOrEqualTo(GaussianDp.epsilon(guarantee.mu(), DELTA));
    }
    assertThat(zeroing(queries(4, 8, 0.05), 1e9).guarantee(1).epsilon()).isZero();
  }
}
