package dev.sotto.learner.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.key.KeyedNoise;
import dev.sotto.learner.key.NoiseKey;
import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Variances and covariances of prefixes over many coordinates, against sums over b_k
 * (docs/development/figures.md, "BLT").
 */
class BltStatisticsTest {
  private static final int WIDE = 60_000;
  private static final int[] TIMES = {1, 2, 3, 7, 20, 40};
  private static final double SIGMA = 0x1p21;
  private static final KeyedNoise NOISE = new KeyedNoise(NoiseKey.of(new byte[32]), SIGMA);

  /** 6 variances and 15 covariances, each two-sided 5.6 standard errors: once in 2e6 runs. */
  private static final double ERRORS = 5.6;

  private static byte[] digest(int round) {
    return ByteBuffer.allocate(32).putInt(round).array();
  }

  /** R at {@link #TIMES}, in units of sigma. */
  private static double[][] walked(BltParameters set) {
    BltNoiseState noiseState = new BltNoiseState(set);
    double[][] prefixes = new double[TIMES.length][WIDE];
    long[] given = new long[WIDE];
    for (int t = 1, next = 0; next < TIMES.length; t++) {
      noiseState.advance(t, digest(t), NOISE, given);
      if (t == TIMES[next]) {
        for (int i = 0; i < WIDE; i++) {
          prefixes[next][i] = given[i] / SIGMA;
        }
        next++;
      }
    }
    return prefixes;
  }

  /**
   * The same, slowly: section 1 line by line, of draws that are {@code scale} times as large, with
   * buffers that decay or do not and that are fed {@code fed} times zhat.
   */
  private static double[][] slowly(BltParameters set, double scale, boolean decaying, double fed) {
    double[] omega = set.omega();
    double[] theta = set.theta();
    double[][] prefixes = new double[TIMES.length][WIDE];
    double[][] draws = new double[TIMES[TIMES.length - 1] + 1][WIDE];
    for (int t = 1; t < draws.length; t++) {
      double[] draw = draws[t];
      NOISE.draw(digest(t), "blt", t, WIDE, (from, z, n) -> System.arraycopy(z, 0, draw, from, n));
    }
    for (int i = 0; i < WIDE; i++) {
      double[] s = new double[omega.length];
      double r = 0;
      for (int t = 1, next = 0; next < TIMES.length; t++) {
        double zhat = scale * draws[t][i] / SIGMA;
        for (int m = 0; m < s.length; m++) {
          zhat -= omega[m] * s[m];
        }
        for (int m = 0; m < s.length; m++) {
          s[m] = (decaying ? theta[m] : 1) * s[m] + fed * zhat;
        }
        r += zhat;
        if (t == TIMES[next]) {
          prefixes[next++][i] = r;
        }
      }
    }
    return prefixes;
  }

  /** Sums over b_k b_(k + t - s), k below s. */
  private static double covariance(BltParameters set, int s, int t) {
    BltInverse inverse = set.inverse();
    double sum = 0;
    for (int k = 0; k < s; k++) {
      sum += inverse.prefixCoefficient(k) * inverse.prefixCoefficient(k + t - s);
    }
    return sum;
  }

  private static double product(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }

  /**
   * The largest deviation of a sample variance in standard errors: chi-square, by Wilson and
   * Hilferty (1931).
   */
  private static double varianceErrors(BltParameters set, double[][] prefixes) {
    double worst = 0;
    double ninth = 2.0 / (9 * WIDE);
    for (int i = 0; i < TIMES.length; i++) {
      double expected = covariance(set, TIMES[i], TIMES[i]);
      double chiSquare = product(prefixes[i], prefixes[i]) / expected;
      double normal = (Math.cbrt(chiSquare / WIDE) - (1 - ninth)) / Math.sqrt(ninth);
      worst = Math.max(worst, Math.abs(normal));
    }
    return worst;
  }

  /** The same of the covariances; the product of two normal variables has variance Vs Vt + C^2. */
  private static double covarianceErrors(BltParameters set, double[][] prefixes) {
    double worst = 0;
    for (int i = 0; i < TIMES.length; i++) {
      for (int j = i + 1; j < TIMES.length; j++) {
        double expected = covariance(set, TIMES[i], TIMES[j]);
        double both = covariance(set, TIMES[i], TIMES[i]) * covariance(set, TIMES[j], TIMES[j]);
        double error = Math.sqrt((both + expected * expected) / WIDE);
        double deviation = product(prefixes[i], prefixes[j]) / WIDE - expected;
        worst = Math.max(worst, Math.abs(deviation) / error);
      }
    }
    return worst;
  }

  @ParameterizedTest
  @EnumSource(names = {"ANYTIME_2_30", "HORIZON_2_6_X2"})
  void hasTheVariancesAndCovariancesOfB(BltParameterSets each) {
    BltParameters set = each.parameters();
    double[][] walked = walked(set);
    assertThat(varianceErrors(set, walked)).isLessThan(ERRORS);
    assertThat(covarianceErrors(set, walked)).isLessThan(ERRORS);
    double[][] slow = slowly(set, 1, true, 1);
    for (int i = 0; i < TIMES.length; i++) {
      for (int n = 0; n < WIDE; n += 97) {
        assertThat(walked[i][n]).isCloseTo(slow[i][n], within(1 / SIGMA));
      }
    }
  }

  /**
   * The broken twins: buffers that never forget, that are fed too little, and draws 5 % too large.
   */
  @ParameterizedTest
  @EnumSource(names = {"ANYTIME_2_30", "HORIZON_2_6_X2"})
  void wouldNoticeBrokenBuffersAndScaledNoise(BltParameterSets each) {
    BltParameters set = each.parameters();
    for (double[][] broken : new double[][][] {
      slowly(set, 1, false, 1), slowly(set, 1, true, 0.9), slowly(set, 1.05, true, 1)
    }) {
      assertThat(varianceErrors(set, broken)).isGreaterThan(ERRORS);
      assertThat(covarianceErrors(set, broken)).isGreaterThan(ERRORS);
    }
  }
}
