package dev.sotto.app.audit.stat;

/**
 * A binomial law with all its probabilities, summed rather than approximated: to a relative 1e-10 each, where
 * they do not underflow.
 */
public final class Binomial {
  private final int trials;
  private final double[] upper; // P[W >= k] for k = 0..trials + 1

  /**
   * The law.
   *
   * @param trials at least 0
   * @param chance between 0 and 1
   */
  public Binomial(int trials, double chance) {
    if (trials < 0 || !(chance >= 0 && chance <= 1)) {
      throw new IllegalArgumentException(
          "trials must be at least 0 and the chance between 0 and 1, but were " + trials + " and "
              + chance);
    }
    this.trials = trials;
    this.upper = new double[trials + 2];
    double[] mass = masses(trials, chance);
    double sum = 0;
    for (int k = trials; k >= 0; k--) {
      sum += mass[k];
      upper[k] = Math.min(1, sum);
    }
    upper[0] = 1;
  }

  /** From the mode outwards by the ratio of neighbours; what underflows is below 1e-300. */
  private static double[] masses(int trials, double chance) {
    double[] mass = new double[trials + 1];
    int mode = (int) Math.min(trials, (long) ((trials + 1.0) * chance));
    mass[mode] = StrictMath.exp(logMass(trials, mode, chance));
    double odds = chance / (1 - chance);
    for (int k = mode; k < trials; k++) {
      mass[k + 1] = mass[k] * odds * (trials - k) / (k + 1);
    }
    for (int k = mode; k > 0; k--) {
      mass[k - 1] = mass[k] / odds * k / (trials - k + 1);
    }
    double total = 0; // what rounding did to the mode's own mass goes
    for (double each : mass) {
      total += each;
    }
    for (int k = 0; k <= trials; k++) {
      mass[k] /= total;
    }
    return mass;
  }

  private static double logMass(int n, int k, double p) {
    double hits = k == 0 ? 0 : k * StrictMath.log(p);
    double misses = k == n ? 0 : (n - k) * StrictMath.log1p(-p);
    return LogFactorial.of(n) - LogFactorial.of(k) - LogFactorial.of(n - k) + hits + misses;
  }

  /** P[W >= k]; 1 for k at most 0, 0 beyond the trials. */
  public double atLeast(int k) {
    return k <= 0 ? 1 : k > trials ? 0 : upper[k];
  }

  /** P[W <= k], by its own sum's complement: exact to an absolute 1e-12. */
  public double atMost(int k) {
    return Math.max(0, 1 - atLeast(k + 1));
  }

  /** How likely a count lies at least as far out on its side, doubled. */
  public static double twoSided(int count, int trials, double chance) {
    Binomial law = new Binomial(trials, chance);
    Binomial mirrored = new Binomial(trials, 1 - chance);
    return Math.min(1, 2 * Math.min(law.atLeast(count), mirrored.atLeast(trials - count)));
  }

  /**
   * The largest chance under which so few hits, or fewer, are still {@code risk} likely: an upper bound for the
   * true chance that fails with probability {@code risk} (Clopper and Pearson 1934).
   */
  public static double chanceAtMost(int hits, int trials, double risk) {
    if (hits >= trials) {
      return 1;
    }
    double low = (double) hits / trials;
    double high = 1;
    for (int i = 0; i < 60; i++) {
      double middle = (low + high) / 2;
      // P[W <= hits] as the chance of many misses: no cancellation.
      if (new Binomial(trials, 1 - middle).atLeast(trials - hits) > risk) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }
}
