package dev.sotto.evaluation.audit.check;

import dev.sotto.evaluation.audit.statistics.TailProbability;
import java.util.Arrays;
import java.util.Locale;

/** Whether white noise has the distribution that is claimed, in the middle and in the tails. */
final class NoiseShape {
  private NoiseShape() {}

  /** The shape of the white noise: the largest gap between its distribution and the claimed one. */
  static CheckResult shape(NoiseOnlyRun noise) {
    double[] sorted =
        Arrays.stream(noise.scores()).flatMapToDouble(Arrays::stream).toArray();
    Arrays.sort(sorted);
    double gap = 0;
    for (int i = 0; i < sorted.length; i++) {
      double claimed = TailProbability.normal(-sorted[i]);
      gap = Math.max(
          gap,
          Math.max(
              claimed - (double) i / sorted.length, (double) (i + 1) / sorted.length - claimed));
    }
    MinimumPValue pValue = new MinimumPValue();
    pValue.add(Math.min(1, 2 * StrictMath.exp(-2 * sorted.length * gap * gap)));
    return NoiseChecks.check(
        "noise: shape",
        pValue,
        String.format(
            Locale.ROOT,
            "Kolmogorov distance %.5f of %,d draws (bound of Massart 1990, for any number of them)",
            gap,
            sorted.length));
  }

  /** Whether large draws are as frequent as they should be. */
  static CheckResult tails(NoiseOnlyRun noise) {
    MinimumPValue pValue = new MinimumPValue();
    int total = noise.rounds() * noise.width();
    int[] beyond = new int[5];
    for (double[] round : noise.scores()) {
      for (double each : round) {
        for (int z = 1; z <= 4; z++) {
          beyond[z] += Math.abs(each) > z ? 1 : 0;
        }
      }
    }
    for (int z = 1; z <= 4; z++) {
      pValue.add(TailProbability.binomialTwoSided(beyond[z], total, 2 * TailProbability.normal(z)));
    }
    return NoiseChecks.check(
        "noise: tails",
        pValue,
        String.format(
            Locale.ROOT,
            "draws beyond 3 and 4 standard deviations: %d and %d, %.0f and %.0f expected",
            beyond[3],
            beyond[4],
            total * 2 * TailProbability.normal(3),
            total * 2 * TailProbability.normal(4)));
  }
}
