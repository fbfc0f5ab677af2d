package dev.sotto.evaluation.audit.check;

import dev.sotto.evaluation.audit.noise.NoiseDistribution;
import dev.sotto.evaluation.audit.noise.NoiseMatrix;
import dev.sotto.evaluation.audit.noise.ReleaseSchedule;
import dev.sotto.evaluation.audit.noise.ReleaseVariances;
import dev.sotto.evaluation.audit.statistics.TailProbability;
import dev.sotto.learner.training.Plan;
import java.util.Locale;

/** How large noise is: of prefixes, between rounds, and white. */
final class NoiseVariance {
  private final Plan plan;
  private final NoiseDistribution distribution;
  private final NoiseMatrix matrix;
  private final int rounds;
  private final int width;
  private final ReleaseSchedule releases;
  private final ReleaseVariances variances;

  /**
   * Of a plan.
   *
   * @param rounds how many releases: rounds, or queries of blocks
   */
  NoiseVariance(Plan plan, int rounds, int width) {
    this.plan = plan;
    this.distribution = NoiseDistribution.of(plan);
    this.matrix = NoiseMatrix.of(plan);
    this.rounds = rounds;
    this.width = width;
    this.releases = ReleaseSchedule.of(plan);
    this.variances = matrix.variances(rounds);
  }

  /** Whether the closed forms behind the ledger agree with the mechanism's matrix. */
  CheckResult ledger() {
    if (releases.isOfQueries()) {
      return BlockClaims.ledger(plan);
    }
    double[] first = matrix.moved(new long[] {1}, rounds);
    double worst = 0;
    double squares = 0;
    for (int t = 1; t <= rounds; t++) {
      long within = plan.generations().within(t);
      squares += first[t - 1] * first[t - 1]; // no more of them after the generation
      double sensitivity = plan.mechanism().sensitivity(t);
      double variance = stated(within) * plan.sigma() * plan.sigma();
      double deviation = distribution.deviation();
      worst = Math.max(worst, off(variances.variance(t, 0) * deviation * deviation, variance));
      // Never less than the truth; and the truth is the first column's, or above it.
      worst = Math.max(worst, Math.max(0, Math.sqrt(squares) / sensitivity - 1));
    }
    return new CheckResult(
        "ledger: closed forms",
        worst <= 1e-9,
        worst,
        "at most 1e-9, relatively; no chance involved",
        "variances of prefixes as stated, and no sensitivity below a column of C, over " + rounds
            + " rounds");
  }

  /** What the mechanism states of the sum that is released after a round. */
  private double stated(long round) {
    return plan.mechanism()
        .ofPrefixes()
        .map(each -> each.prefixVariance(round))
        .orElseGet(() ->
            plan.mechanism().ofQueries().orElseThrow().runningVariance(round).orElseThrow());
  }

  private static double off(double one, double other) {
    return Math.abs(one / other - 1);
  }

  /** The variance of every prefix. */
  CheckResult prefixes(NoiseOnlyRun noise) {
    MinimumPValue pValue = new MinimumPValue();
    double lowest = Double.POSITIVE_INFINITY;
    double highest = 0;
    for (int t = 1; t <= rounds; t++) {
      double ratio = ratio(noise.prefixes()[t - 1], new double[width], t, 0);
      lowest = Math.min(lowest, ratio);
      highest = Math.max(highest, ratio);
      pValue.add(chance(ratio, t, 0));
    }
    return NoiseChecks.check(
        "noise: variance of prefixes",
        pValue,
        String.format(
            Locale.ROOT,
            "variance of N_t over %s between %.4f and %.4f, t to %d, %d coordinates",
            releases.isOfQueries() ? "that of its " + releases.noun() : "sigma^2 prefixVariance(t)",
            lowest,
            highest,
            rounds,
            width));
  }

  /**
   * How noise moves between rounds: each to the one before it, and to the one at half its number.
   */
  CheckResult changes(NoiseOnlyRun noise) {
    MinimumPValue pValue = new MinimumPValue();
    for (int t = 2; t <= rounds; t++) {
      for (int s : new int[] {t - 1, t / 2}) {
        pValue.add(chance(ratio(noise.prefixes()[t - 1], noise.prefixes()[s - 1], t, s), t, s));
      }
    }
    return NoiseChecks.check(
        "noise: change between rounds",
        pValue,
        "variances of N_t - N_s over those of the mechanism, " + pValue.count() + " pairs");
  }

  /** The mean square of a difference of prefixes over its expectation. */
  private double ratio(double[] one, double[] other, int t, int s) {
    double squares = 0;
    for (int i = 0; i < one.length; i++) {
      squares += (one[i] - other[i]) * (one[i] - other[i]);
    }
    double deviation = distribution.deviation();
    return squares / (one.length * deviation * deviation * variances.variance(t, s));
  }

  /** How likely such a ratio is: chi-square for Gaussian noise, otherwise by the central limit. */
  private double chance(double ratio, int t, int s) {
    if (distribution instanceof NoiseDistribution.Gaussian) {
      return TailProbability.chiSquareTwoSided(ratio * width, width);
    }
    double second = variances.variance(t, s);
    double excess = 3 * variances.fourthPowers(t, s) / (second * second); // 3 for one variable
    double normal = (ratio - 1) / Math.sqrt((2 + excess) / width);
    // Squares of Laplace variables are skew: a thousand times for what that moves far out.
    return Math.min(1, 2000 * TailProbability.normal(Math.abs(normal)));
  }

  /** The size of the white noise: in all, by round, by coordinate. */
  CheckResult size(NoiseOnlyRun noise) {
    MinimumPValue pValue = new MinimumPValue();
    double[] ofCoordinate = new double[width];
    double all = 0;
    for (double[] round : noise.sizes()) {
      double ofRound = 0;
      for (int i = 0; i < width; i++) {
        double size = distribution.size(round[i]);
        ofRound += size;
        ofCoordinate[i] += size;
      }
      pValue.add(distribution.chanceOfSize(ofRound, width));
      all += ofRound;
    }
    for (double each : ofCoordinate) {
      pValue.add(distribution.chanceOfSize(each, rounds));
    }
    long count = (long) rounds * width;
    pValue.add(distribution.chanceOfSize(all, count));
    return NoiseChecks.check(
        "noise: size",
        pValue,
        String.format(
            Locale.ROOT,
            "%s of the white noise over what is claimed: %.5f of %,d draws, and by round and"
                + " coordinate",
            distribution instanceof NoiseDistribution.Gaussian
                ? "mean square"
                : "mean absolute value",
            all / (count * distribution.expected()),
            count));
  }
}
