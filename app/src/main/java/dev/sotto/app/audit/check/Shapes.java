package dev.sotto.app.audit.check;

import dev.sotto.app.audit.Check;
import dev.sotto.app.audit.stat.Binomial;
import dev.sotto.app.audit.stat.Normal;
import java.util.Arrays;
import java.util.Locale;

/** Whether white noise has the distribution that is claimed, in the middle and in the tails. */
final class Shapes {
  private Shapes() {}

  /** The shape of the white noise: the largest gap between its distribution and the claimed one. */
  static Check shape(Silence silence) {
    double[] sorted =
        Arrays.stream(silence.scores()).flatMapToDouble(Arrays::stream).toArray();
    Arrays.sort(sorted);
    double gap = 0;
    for (int i = 0; i < sorted.length; i++) {
      double claimed = Normal.cdf(sorted[i]);
      gap = Math.max(
          gap,
          Math.max(
              claimed - (double) i / sorted.length, (double) (i + 1) / sorted.length - claimed));
    }
    Likelihood likelihood = new Likelihood();
    likelihood.add(Math.min(1, 2 * StrictMath.exp(-2 * sorted.length * gap * gap)));
    return NoiseChecks.check(
        "noise: shape",
        likelihood,
        String.format(
            Locale.ROOT,
            "Kolmogorov distance %.5f of %,d draws (bound of Massart 1990, for any number of them)",
            gap,
            sorted.length));
  }

  /** Whether large draws are as frequent as they should be. */
  static Check tails(Silence silence) {
    Likelihood likelihood = new Likelihood();
    int total = silence.rounds() * silence.width();
    int[] beyond = new int[5];
    for (double[] round : silence.scores()) {
      for (double each : round) {
        for (int z = 1; z <= 4; z++) {
          beyond[z] += Math.abs(each) > z ? 1 : 0;
        }
      }
    }
    for (int z = 1; z <= 4; z++) {
      likelihood.add(Binomial.twoSided(beyond[z], total, 2 * Normal.upper(z)));
    }
    return NoiseChecks.check(
        "noise: tails",
        likelihood,
        String.format(
            Locale.ROOT,
            "draws beyond 3 and 4 standard deviations: %d and %d, %.0f and %.0f expected",
            beyond[3],
            beyond[4],
            total * 2 * Normal.upper(3),
            total * 2 * Normal.upper(4)));
  }
}
