package dev.sotto.learner.optimizer.heavytail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Acceptance checks 4, 6, 8, 9, 10, 11 and 13 of the page of the paper, to a relative 1e-5. */
class SchedulesTest {
  private static final OptionalDouble BY_MOMENT = OptionalDouble.empty();

  private static void near(double value, double expected) {
    assertThat(value).isCloseTo(expected, within(1e-5 * Math.abs(expected)));
  }

  private static Moments second(double moment) {
    return new Moments(2, moment, moment);
  }

  @Test
  void takesTheStepsOfAcSa() {
    BlockSize size = new BlockSize(10_000, 10, 1);
    Moments moments = second(Math.sqrt(78));
    AcSaSchedule schedule = AcSaSchedule.of(size, moments, 1, 2, BY_MOMENT);
    assertThat(schedule.steps()).isEqualTo(4);
    assertThat(schedule.batch()).isEqualTo(2500);
    near(schedule.clip(), 351.182);
    near(schedule.noise(), 0.280946);
    near(ClipRules.bias(moments, schedule.clip()), 0.222107);
    near(AcSaSchedule.variance(size, moments.second(), schedule.noise(), 2500), 0.820505);
    near(schedule.eta(), 3.73060);
    AcSaSchedule other =
        AcSaSchedule.of(new BlockSize(100_000, 50, 0.5), new Moments(4, 10, 8), 2, 2, BY_MOMENT);
    assertThat(other.steps()).isEqualTo(12);
    assertThat(other.batch()).isEqualTo(8333);
    near(other.clip(), 67.2162);
    near(other.noise(), 0.0322650);
    near(other.eta(), 5.08490);
    assertThat(AcSaSchedule.of(size, moments, 0, 2, BY_MOMENT).steps()).isEqualTo(1);
  }

  @Test
  void takesTheStepsOfSgd() {
    SgdSchedule schedule = SgdSchedule.of(
        new BlockSize(10_000, 10, 1), second(3.5), new Curvature(1, 1), 2, BY_MOMENT);
    assertThat(schedule.last()).isEqualTo(34);
    assertThat(schedule.batch()).isEqualTo(285); // of 35 batches, not of 34
    near(schedule.clip(), 81.5076);
    near(schedule.noise(), 0.571983);
    for (long t = 0; t <= 17; t++) {
      near(schedule.eta(t), 1);
    }
    near(schedule.eta(18), 0.8);
    near(schedule.eta(19), 0.666667);
    assertThat(schedule.weight(16)).isZero();
    near(schedule.weight(17), 16);
    near(schedule.weight(18), 25);
    SgdSchedule flat = SgdSchedule.of(
        new BlockSize(100_000, 20, 0.5), new Moments(4, 5, 5), new Curvature(1, 0.1), 2, BY_MOMENT);
    assertThat(flat.last()).isEqualTo(398);
    assertThat(flat.batch()).isEqualTo(250);
    near(flat.clip(), 24.3276);
    near(flat.noise(), 0.389241);
  }

  @Test
  void weighsEarlyPointsWhereStepsAreFew() {
    SgdSchedule few = new SgdSchedule(3, 1, 1, 1, new Curvature(1, 0.1));
    double[] weights = {1.052632, 1.108033, 1.166351, 1.227738};
    for (int t = 0; t < 4; t++) {
      assertThat(few.eta(t)).isEqualTo(1);
      near(few.weight(t), weights[t]);
    }
  }

  @Test
  void neverReadsMoreThanTheBlock() {
    for (long n : new long[] {2, 3, 10, 1000, 65_536}) {
      for (double mu : new double[] {1e-3, 1, 100, Double.POSITIVE_INFINITY}) {
        BlockSize size = new BlockSize(n, 7, mu);
        for (double k : new double[] {2, 2.9, 8, Double.POSITIVE_INFINITY}) {
          Moments moments = new Moments(k, 3, 2);
          AcSaSchedule first = AcSaSchedule.of(size, moments, 5, 20, BY_MOMENT);
          assertThat(first.steps() * first.batch()).isBetween(1L, n);
          Curvature flat = new Curvature(5, 0.01);
          SgdSchedule second = SgdSchedule.of(size, moments, flat, 20, BY_MOMENT);
          assertThat((second.last() + 1) * second.batch()).isBetween(1L, n);
          ProxSchedule third = ProxSchedule.of(size, moments, flat, 100, BY_MOMENT);
          assertThat(third.steps() * third.batch()).isBetween(1L, n);
          for (double number :
              new double[] {first.clip(), first.noise(), first.eta(), second.clip(), third.clip()
              }) {
            assertThat(number).isPositive().isFinite();
          }
          LocalizedSchedule fourth = new LocalizedSchedule(size, new LocalMoments(moments, 4), 20);
          List<Phase> phases = fourth.phases(400, 1, fourth::clip);
          assertThat(phases.stream().mapToLong(Phase::slots).sum())
              .isEqualTo(Long.highestOneBit(n) - 1);
          assertThat(phases).allSatisfy(each -> {
            assertThat(each.passes()).isBetween(1L, 400L);
            assertThat(each.step() * each.regularization()).isBetween(0.0, 1 + 1e-12);
            assertThat(each.clip()).isPositive().isFinite();
            assertThat(each.radius()).isPositive().isFinite();
          });
        }
      }
    }
  }

  @Test
  void takesTheClipThatIsGivenAndLeavesItsBiasOut() {
    Moments moments = second(Math.sqrt(1.6 * 1.6 * 12 + 30));
    AcSaSchedule given =
        AcSaSchedule.of(new BlockSize(10_000, 10, 1), moments, 1, 2, OptionalDouble.of(49.46));
    assertThat(given.steps()).isEqualTo(4);
    near(given.clip(), 49.46);
    near(given.eta(), 2); // section 6.2, E2
    AcSaSchedule moment = AcSaSchedule.of(new BlockSize(10_000, 10, 1), moments, 1, 2, BY_MOMENT);
    assertThat(moment.clip()).isCloseTo(309.8, within(0.05)); // printed with four digits
  }

  @Test
  void takesThePhasesOfLocalizedErm() {
    LocalMoments moments = new LocalMoments(second(Math.sqrt(1.8)), Math.sqrt(3), Math.sqrt(1.8));
    LocalizedSchedule schedule = new LocalizedSchedule(new BlockSize(256, 5, 1), moments, 4);
    near(schedule.eta(), 0.00393132);
    List<Phase> phases = schedule.phases(Long.MAX_VALUE, 1, schedule::clip);
    assertThat(phases).hasSize(8);
    long[] slots = {128, 64, 1};
    double[] lambdas = {0.702598, 7.94899, 1.66702e7};
    double[] clips = {8.53973, 6.03850, 0.754813};
    double[] radii = {43.2080, 5.40100, 2.06032e-5};
    long[] passes = {12_992, 8852, 68};
    double[] noises = {15.2091, 17.7542, 12.4487};
    int at = 0;
    for (int i : new int[] {0, 1, 7}) {
      Phase phase = phases.get(i);
      assertThat(phase.slots()).isEqualTo(slots[at]);
      near(phase.regularization(), lambdas[at]);
      near(phase.clip(), clips[at]);
      near(phase.radius(), radii[at]);
      assertThat(phase.passes()).isEqualTo(passes[at]);
      near(phase.noise(1), noises[at]);
      at++;
    }
    assertThat(phases.stream().mapToLong(Phase::slots).sum()).isEqualTo(255);
    assertThat(phases.stream().mapToLong(each -> each.slots() * each.passes()).sum())
        .isEqualTo(2_422_278);
    for (int i = 1; i < 8; i++) {
      near(phases.get(i).regularization() / phases.get(i - 1).regularization(), 11.313708);
      near(phases.get(i).radius() / phases.get(i - 1).radius(), 0.125);
    }
  }

  /** The cap changes passes and steps, and no step leads away: step lambda is at most 1. */
  @Test
  void capsPassesAtTheSameNoiseTerm() {
    LocalMoments moments = new LocalMoments(second(Math.sqrt(1.8)), Math.sqrt(3), Math.sqrt(1.8));
    LocalizedSchedule schedule = new LocalizedSchedule(new BlockSize(256, 5, 1), moments, 4);
    List<Phase> literal = schedule.phases(Long.MAX_VALUE, 1, schedule::clip);
    List<Phase> capped = schedule.phases(400, 8, schedule::clip);
    assertThat(capped).hasSize(5);
    for (int i = 0; i < capped.size(); i++) {
      Phase one = literal.get(i);
      Phase other = capped.get(i);
      assertThat(other.passes()).isEqualTo(Math.min(400, one.passes()));
      double noise = one.step() * one.noise(1) * one.noise(1);
      // The literal number of passes is rounded up, the product of step and passes is not.
      assertThat(other.step() * other.noise(1) * other.noise(1))
          .isCloseTo(noise, within(0.01 * noise));
    }
  }

  @Test
  void doublesEpochs() {
    assertThat(EpochSchedule.halves(65_536)).containsExactly(4096L, 8192L, 16_384L, 32_768L);
    assertThatIllegalArgumentException().isThrownBy(() -> EpochSchedule.halves(3));
  }

  @Test
  void shrinksTheDistanceOfEpochs() {
    LocalMoments moments = LocalMoments.bounded(1);
    BlockSize size = new BlockSize(65_536, 5, 1);
    List<LocalizedSchedule> schedules = EpochSchedule.of(size, moments, 20, 0.5);
    double distance = 4; // 2 L / mu
    for (int j = 0; j < schedules.size(); j++) {
      LocalizedSchedule alone = new LocalizedSchedule(size.of(4096L << j), moments, distance);
      assertThat(schedules.get(j).eta()).isEqualTo(alone.eta());
      assertThat(schedules.get(j).risk()).isEqualTo(alone.risk());
      distance = Math.min(distance, Math.sqrt(2 * alone.risk() / 0.5));
    }
    assertThat(distance).isLessThan(4);
  }

  @Test
  void takesTheStepsOfProximalSgd() {
    ProxSchedule schedule = ProxSchedule.of(
        new BlockSize(10_000, 10, 1), second(3.5), new Curvature(1, 1), 2, BY_MOMENT);
    assertThat(schedule.steps()).isEqualTo(16);
    assertThat(schedule.batch()).isEqualTo(625);
    near(schedule.clip(), 49.2049);
    near(schedule.noise(), 0.157456);
    assertThat(schedule.eta()).isEqualTo(0.5);
    double[] point = {3, 0.04, -0.3};
    new ProximalMap(0.1, 0, 1).apply(point, 0.5, new double[3]);
    assertThat(point).containsExactly(new double[] {1, 0, -0.25}, within(1e-15));
  }

  /** Against values of the function on a grid of the same interval. */
  @Test
  void findsTheMinimumOfTheProximalFunction() {
    ProximalMap map = new ProximalMap(0.3, 0.7, 0.9);
    double eta = 0.8;
    double[] center = {0.5};
    for (double start = -3; start <= 3; start += 0.11) {
      double[] point = {start};
      map.apply(point, eta, center);
      double at = value(point[0], start, eta, center[0]);
      assertThat(Math.abs(point[0])).isLessThanOrEqualTo(0.9);
      for (double y = -0.9; y <= 0.9; y += 0.001) {
        assertThat(at).isLessThanOrEqualTo(value(y, start, eta, center[0]) + 1e-12);
      }
    }
  }

  private static double value(double y, double start, double eta, double center) {
    return (y - start) * (y - start) / (2 * eta)
        + 0.3 * Math.abs(y)
        + 0.35 * (y - center) * (y - center);
  }

  @Test
  void calibratesMediansOfMeans() {
    MedianOfMeans median = new MedianOfMeans(3, 4, new BlockSize(400, 10, 0.5));
    near(median.sensitivity(), 0.189737);
    near(median.noise(), 0.379473);
    near(Math.sqrt(72.0 / 4) * median.noise(), 1.609969); // the constant of Lemma 52
    assertThat(MedianOfMeans.groups(10, 0.01)).isEqualTo(166);
    near(median.sensitivityOfSums() * 4 / 400, median.sensitivity());
  }

  /** The worst case that the sensitivity allows is reached, and nothing beyond it. */
  @Test
  void movesMediansByTheirSensitivityAtMost() {
    MedianOfMeans median = new MedianOfMeans(3, 3, new BlockSize(6, 2, 1));
    double[][] values = {{3, 3}, {3, 3}, {-3, -3}, {-3, -3}, {3, 3}, {-3, -3}};
    double[] before = median.exact(values);
    values[5] = new double[] {1e9, Double.NaN};
    double[] after = median.exact(values);
    assertThat(after[0] - before[0]).isEqualTo(3); // 2 tau m / s
    assertThat(after[1] - before[1]).isEqualTo(1.5); // what is not finite counts as 0
    double moved = Math.hypot(3, 3);
    assertThat(moved).isCloseTo(median.sensitivity(), within(1e-12));
  }

  /**
   * Lemma 6 with the best constant, {@code ((k - 1) / k)^k} times smaller: {@code (t - C)_+ <= t^k
   * (k - 1)^(k - 1) / (k^k C^(k - 1))}, with equality at t = k C / (k - 1).
   */
  private static double sharpBias(Moments moments, double clip) {
    double k = moments.order();
    return k == Double.POSITIVE_INFINITY
        ? ClipRules.bias(moments, clip)
        : ClipRules.bias(moments, clip) * StrictMath.pow((k - 1) / k, k);
  }

  /** The clip at which squared bias and noise of one mean of {@code size.slots()} are least. */
  private static double leastError(Moments moments, BlockSize size) {
    double k = moments.order();
    if (k == Double.POSITIVE_INFINITY) {
      return moments.moment();
    }
    double signal = size.signal();
    return moments.moment() * StrictMath.pow(signal * signal / (4 * (k - 1)), 1 / (2 * k));
  }

  @Test
  void tellsBiasAndError() {
    Moments pareto = new Moments(2, Math.sqrt(3), Math.sqrt(3)); // E z^2 of Pareto(3, 1) is 3
    near(ClipRules.bias(pareto, 5), 0.6);
    near(sharpBias(pareto, 5), 0.15);
    // E (z - C)_+ = C^(1 - a) / (a - 1): 0.02, so both hold.
    assertThat(StrictMath.pow(5, -2) / 2).isCloseTo(0.02, within(1e-15));
    Moments moments = second(3.5);
    BlockSize size = new BlockSize(1000, 10, 1);
    double clip = leastError(moments, size);
    near(clip, 44.0102);
    double bias = ClipRules.bias(moments, clip);
    near(bias * bias, 0.0774758);
    double noise = size.noise(clip, 1000);
    near(10 * noise * noise, 0.0774758);
    for (double k : new double[] {2, 3, 4}) {
      Moments of = new Moments(k, 3.5, 3.5);
      near(ClipRules.bias(of, 10) / sharpBias(of, 10), k == 2 ? 4 : k == 3 ? 3.375 : 3.160494);
    }
  }

  @Test
  void knowsTheTailsOfGoodClips() {
    near(ClipRules.tail(new BlockSize(10_000, 10, 1), 7), Math.sqrt(70) / 10_000);
    near(ClipRules.proximalTail(new BlockSize(10_000, 10, 1), 8), Math.sqrt(10) * 8 / 10_000);
    near(
        ClipRules.localTail(new BlockSize(1024, 5, 8), 512),
        Math.sqrt(5 * StrictMath.log(1024)) / (8 * 512));
  }
}
