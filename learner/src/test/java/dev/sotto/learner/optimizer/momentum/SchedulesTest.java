package dev.sotto.learner.optimizer.momentum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.mechanism.QueryNoise;
import org.junit.jupiter.api.Test;

/** docs/development/figures.md, "Momentum". */
class SchedulesTest {
  private static void close(double value, double expected) {
    assertThat(value).isCloseTo(expected, within(1e-6 * Math.abs(expected)));
  }

  /** Check 11. */
  @Test
  void calibratesFullBatchesAsThePageSays() {
    FullBatchSchedule schedule =
        FullBatchSchedule.of(10_000, new FullBatchSchedule.Steps(400, 0.05), 1, 1);
    close(schedule.difference(), 0.05);
    close(schedule.share(), 0.05);
    close(schedule.bound(), 0.0975);
    double mu = 0.5;
    double ofMean = 1 / (10_000 * mu); // kappa C / (N mu)
    double first = ofMean * schedule.firstNoise();
    double later = ofMean * schedule.bound() * schedule.laterNoise();
    close(first, 6.324555320e-4);
    close(later, 4.105819041e-4);
    close(later / Math.sqrt(0.05 * 1.95), 1.3149144459e-3);
    close(ofMean * Math.sqrt(400), 4.0e-3); // without changes
    double price = square(1e-4 / first) + 399 * square(1e-4 * schedule.bound() / later);
    close(Math.sqrt(price), mu);
  }

  private static double square(double value) {
    return value * value;
  }

  /** One participation costs what the mechanism says: one. */
  @Test
  void costsOneParticipationWhateverItsShares() {
    for (double share : new double[] {1e-3, 0.3, 1}) {
      for (long queries : new long[] {1, 2, 7, 400}) {
        FullBatchSchedule schedule = new FullBatchSchedule(64, queries, 2, 0.1, 0.3, share);
        QueryNoise noise = new QueryNoise(schedule.schedule());
        double price = 0;
        for (long query = 1; query <= queries; query++) {
          price += 1 / square(noise.noise(query));
        }
        assertThat(price).isCloseTo(1, within(1e-9)).isLessThanOrEqualTo(1);
        assertThat(schedule.schedule().gradients()).isEqualTo(64 * queries);
        if (share == 1) {
          assertThat(noise.noise(queries)).isCloseTo(noise.noise(1), within(1e-9));
        }
      }
    }
  }

  /** Check 12. */
  @Test
  void plansFullBatchesAsThePageSays() {
    Landscape known = new Landscape(1, 1, 1, 100, 4); // mu 0.25
    close(FullBatchSchedule.path(10_000, known), 31.498026);
    FullBatchSchedule.Steps steps = FullBatchSchedule.plan(10_000, known, 1000);
    close(steps.step(), 0.063496042);
    assertThat(steps.queries()).isEqualTo(496);
    close(4 / FullBatchSchedule.path(10_000, known), 0.126992);
  }

  /** Check 12: fresh gradients alone are a bound of 0.2127 away, at 177 passes. */
  @Test
  void gainsOnPlainDescentWhatThePageSays() {
    Landscape known = new Landscape(1, 1, 1, 100, 4);
    double best = Double.POSITIVE_INFINITY;
    double at = 0;
    for (double queries = 150; queries < 200; queries += 0.01) {
      // R / (eta E) + L eta / 2 at its best eta, and the noise of one query of E, twice
      double bound = Math.sqrt(2 * known.smoothness() * known.gap() / queries)
          + 2 * known.noiseNorm() * Math.sqrt(queries) / 10_000;
      if (bound < best) {
        best = bound;
        at = queries;
      }
    }
    assertThat(at).isCloseTo(176.78, within(0.02));
    assertThat(best).isCloseTo(0.212732, within(1e-6));
    assertThat(4 / FullBatchSchedule.path(10_000, known)).isLessThan(0.6 * best);
  }

  private static double bound(Landscape known, long slots, long queries, double step) {
    return known.gap() / (step * queries)
        + known.smoothness() * step / 2
        + 2
            * known.noiseNorm()
            / known.clip()
            / slots
            * Math.sqrt(2 * known.smoothness() * step * known.clip() * queries);
  }

  @Test
  void choosesTheBestStepForItsQueries() {
    for (double noise : new double[] {0, 0.1, 4, 100}) {
      Landscape known = new Landscape(2, 0.25, 1, 64, noise);
      for (long queries : new long[] {1, 10, 300}) {
        double best = FullBatchSchedule.step(5000, known, queries);
        double least = bound(known, 5000, queries, best);
        assertThat(bound(known, 5000, queries, best * 1.01)).isGreaterThan(least);
        assertThat(bound(known, 5000, queries, best / 1.01)).isGreaterThan(least);
      }
    }
  }

  @Test
  void takesNoMoreQueriesThanAllowed() {
    Landscape known = new Landscape(1, 1, 1, 100, 4);
    assertThat(FullBatchSchedule.plan(10_000, known, 50))
        .isEqualTo(new FullBatchSchedule.Steps(50, FullBatchSchedule.step(10_000, known, 50)));
    assertThat(
            FullBatchSchedule.plan(10_000, new Landscape(1, 1, 1, 100, 0), 50).queries())
        .isEqualTo(50);
  }

  /** Check 13: R = L = C = 1, zero-out at mu 0.5, T = 10^4 rounds of 100. */
  @Test
  void boundsOnePassAsThePageSays() {
    OnePassBound bound = new OnePassBound(new Landscape(1, 1, 1, 100, 2), 100, 1_000_000);
    close(bound.momentumStep(0.01), 7.0710678e-4);
    double[] terms = bound.momentumTerms(0.01);
    double[] expected = {0.2828427, 3.5355e-4, 0.02, 0.0217280, 0.02};
    for (int i = 0; i < expected.length; i++) {
      assertThat(terms[i]).isCloseTo(expected[i], within(1e-5 * expected[i]));
    }
  }

  @Test
  void choosesWeightsThatFallWithTheNoise() {
    double before = 1;
    for (double noise : new double[] {1, 10, 100, 1000}) {
      OnePassBound bound = new OnePassBound(Landscape.of(0.25, 1, 64, noise), 64, 1 << 20);
      double alpha = bound.momentumAlpha();
      assertThat(alpha).isLessThanOrEqualTo(before);
      before = alpha;
    }
    assertThat(before).isLessThan(0.01);
  }

  @Test
  void refusesNumbersThatMeanNothing() {
    assertThatThrownBy(() -> Landscape.of(Double.POSITIVE_INFINITY, 1, 1, 1))
        .hasMessageContaining("smoothness must be positive");
    assertThatThrownBy(() -> new Landscape(1, 1, 1, 1, Double.NaN)).hasMessageContaining("noise");
    assertThatThrownBy(() -> new FullBatchSchedule(1, 1, 1, 1, 1, 0))
        .hasMessageContaining("share of the fresh gradient");
    assertThatThrownBy(() -> new OnePassBound(Landscape.of(1, 1, 1, 1), 8, 4))
        .hasMessageContaining("at most the slots");
  }

  @Test
  void staysWhereThereIsNoDirection() {
    double[] weights = {1, 2};
    NormalizedStep.take(weights, new double[2], 0.5);
    NormalizedStep.take(weights, new double[] {Double.NaN, 1}, 0.5);
    NormalizedStep.take(weights, new double[] {Double.POSITIVE_INFINITY, 1}, 0.5);
    assertThat(weights).containsExactly(1, 2);
    NormalizedStep.take(weights, new double[] {-3, 4}, 0.5);
    assertThat(weights).containsExactly(new double[] {1.3, 1.6}, within(1e-15));
    NormalizedStep.take(weights, new double[] {3e-200, -4e-200}, 0.5); // a tiny one has one
    assertThat(weights).containsExactly(new double[] {1, 2}, within(1e-15));
  }
}
