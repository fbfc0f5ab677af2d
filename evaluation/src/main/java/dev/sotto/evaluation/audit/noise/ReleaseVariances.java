package dev.sotto.evaluation.audit.noise;

import java.util.function.IntToDoubleFunction;

/** How white noise adds up in the noise N_t of releases, which count from 1; N_0 is zero. */
public interface ReleaseVariances {
  /** Variance of N_t - N_s, as a multiple of that of white noise. */
  double variance(int t, int s);

  /** Sum of the fourth powers of the factors of N_t - N_s. */
  double fourthPowers(int t, int s);

  /** Of releases that have noise of their own each, of this size. */
  static ReleaseVariances ofFresh(IntToDoubleFunction noise) {
    return new ReleaseVariances() {
      @Override
      public double variance(int t, int s) {
        return power(t, 2) + power(s, 2);
      }

      @Override
      public double fourthPowers(int t, int s) {
        return power(t, 4) + power(s, 4);
      }

      private double power(int t, int exponent) {
        return t == 0 ? 0 : Math.pow(noise.applyAsDouble(t), exponent);
      }
    };
  }

  /** Of rows of factors. */
  static ReleaseVariances of(double[][] rows) {
    return new ReleaseVariances() {
      @Override
      public double variance(int t, int s) {
        return powers(t, s, 2);
      }

      @Override
      public double fourthPowers(int t, int s) {
        return powers(t, s, 4);
      }

      private double powers(int t, int s, int power) {
        double sum = 0;
        for (int i = 0; i < rows[t - 1].length; i++) {
          double factor = rows[t - 1][i] - (s == 0 ? 0 : rows[s - 1][i]);
          double square = factor * factor;
          sum += power == 2 ? square : square * square;
        }
        return sum;
      }
    };
  }
}
