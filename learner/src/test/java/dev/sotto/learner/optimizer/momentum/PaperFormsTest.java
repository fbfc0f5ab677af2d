package dev.sotto.learner.optimizer.momentum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.accounting.GaussianDp;
import dev.sotto.learner.mechanism.MomentumTree;
import dev.sotto.testing.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The algorithms as Tran and Cutkosky print them, as reference and as counterexample: what is wrong
 * with them is stated in docs/experiments/papers.md, "Momentum aggregation". Nothing of this is in
 * the product.
 */
class PaperFormsTest {
  private static void close(double value, double expected) {
    assertThat(value).isCloseTo(expected, within(1e-6 * Math.abs(expected)));
  }

  /** The paper's algorithm of changes against anchors, for (w - x)^2 / 2 in one dimension. */
  private static final class Anchored {
    final double[] estimate; // m-hat by the recursion, from step 1
    final double[] exact; // m
    final double last;

    Anchored(double[] x, int[][] orders, double alpha, double gamma, double step) {
      int n = x.length;
      int steps = n * orders.length;
      double beta = 1 - alpha;
      double[] g = new double[steps + 1];
      double[] r = new double[steps + 1];
      double[] delta = new double[steps + 1];
      double[] anchors = new double[orders.length];
      double[] m = new double[steps + 1]; // M of the page
      double[] window = new double[steps + 1];
      estimate = new double[steps + 1];
      exact = new double[steps + 1];
      double w = 0;
      for (int t = 1; t <= steps; t++) {
        int epoch = (t - 1) / n;
        if ((t - 1) % n == 0) {
          anchors[epoch] = w;
        }
        double each = x[orders[epoch][(t - 1) % n]];
        g[t] = anchors[epoch] - each;
        r[t] = w - anchors[epoch];
        delta[t] = epoch == 0 ? 0 : anchors[epoch] - anchors[epoch - 1];
        if (t < n) {
          m[t] = decayed(g, 1, t, beta);
        } else if (t == n) {
          window[t] = decayed(g, 1, n, beta);
          m[t] = window[t];
        } else {
          window[t] = t < 2 * n
              ? decayed(g, t - n + 1, t, beta)
              : (1 - gamma) * (window[t - n] + decayed(delta, t - n + 1, t, beta))
                  + gamma * decayed(g, t - n + 1, t, beta);
          m[t] = Math.pow(beta, n) * m[t - n] + window[t];
        }
        estimate[t] = alpha * (m[t] + decayed(r, 1, t, beta));
        exact[t] = alpha * (decayed(g, 1, t, beta) + decayed(r, 1, t, beta));
        w -= step * Math.signum(estimate[t]);
      }
      last = w;
      this.g = g;
      this.r = r;
      this.delta = delta;
    }

    final double[] g;
    final double[] r;
    final double[] delta;
  }

  private static double decayed(double[] leaves, int from, int to, double beta) {
    double sum = 0;
    for (int t = from; t <= to; t++) {
      sum = beta * sum + leaves[t];
    }
    return sum;
  }

  private static final int[] SAME = {0, 1, 2};

  /** Check 6. */
  @Test
  void tracesTheAlgorithmOfAnchorsUnderOneOrder() {
    Anchored traced =
        new Anchored(new double[] {1, 3, -2}, new int[][] {SAME, SAME, SAME}, 1 / 3.0, 0.25, 0.1);
    double[] expected = {
      -0.333333, -1.188889, -0.059259, -0.272840, -1.048560, 0.134294, -0.110471, -0.906981,
      0.262013
    };
    for (int t = 1; t <= 9; t++) {
      assertThat(traced.estimate[t]).isCloseTo(expected[t - 1], within(1e-6));
      assertThat(traced.estimate[t]).isCloseTo(traced.exact[t], within(1e-12));
    }
    assertThat(traced.g[6]).isCloseTo(2.3, within(1e-12));
    assertThat(traced.delta[6]).isCloseTo(0.3, within(1e-12));
    assertThat(traced.r[6]).isCloseTo(0.2, within(1e-12));
    assertThat(traced.last).isCloseTo(0.5, within(1e-12));
  }

  /** Check 6, the counterexample: with orders that change, as printed, the sign is wrong. */
  @Test
  void showsThatFreshOrdersBreakTheReconstruction() {
    Anchored traced = new Anchored(
        new double[] {1, 3, -2}, new int[][] {SAME, {2, 0, 1}, {1, 2, 0}}, 1 / 3.0, 0.25, 0.1);
    assertThat(traced.exact[6]).isCloseTo(-0.821262, within(1e-6));
    assertThat(traced.estimate[6]).isCloseTo(-0.237929, within(1e-6));
    assertThat(traced.exact[7]).isCloseTo(-1.480841, within(1e-6));
    assertThat(traced.estimate[7]).isCloseTo(0.380270, within(1e-6));
  }

  /** Lemma 17 as the paper unrolls it, t = q n + r. */
  private static double unrolled(
      double[] g, double[] delta, int n, int t, double beta, double gamma) {
    int q = t / n;
    int r = t % n;
    double sum = Math.pow(beta, q * n) * decayed(g, 1, r, beta);
    for (int i = 0; i < q; i++) {
      sum +=
          Math.pow(beta, i * n) * Math.pow(1 - gamma, q - 1 - i) * decayed(g, r + 1, r + n, beta);
    }
    for (int i = 1; i < q; i++) {
      double factor = 0;
      for (int j = 0; j < i; j++) {
        factor += Math.pow(1 - gamma, j) * Math.pow(beta, (i - 1 - j) * n);
      }
      int from = t - i * n + 1;
      int to = t - (i - 1) * n;
      sum += factor
          * ((1 - gamma) * decayed(delta, from, to, beta) + gamma * decayed(g, from, to, beta));
    }
    return sum;
  }

  /** Check 15, first part. */
  @Test
  void unrollsToTheRecursion() {
    int n = 8;
    double beta = 1 - 1.0 / n;
    Random random = Seed.random(1);
    for (double gamma : new double[] {0, 0.2, 1}) {
      double[] g = new double[6 * n + 1];
      double[] delta = new double[6 * n + 1];
      for (int t = 1; t < g.length; t++) {
        g[t] = random.nextGaussian();
        delta[t] = random.nextGaussian();
      }
      double[] m = new double[g.length];
      double[] window = new double[g.length];
      for (int t = 1; t < g.length; t++) {
        if (t <= n) {
          m[t] = decayed(g, 1, t, beta);
          window[t] = m[t];
        } else {
          window[t] = t < 2 * n
              ? decayed(g, t - n + 1, t, beta)
              : (1 - gamma) * (window[t - n] + decayed(delta, t - n + 1, t, beta))
                  + gamma * decayed(g, t - n + 1, t, beta);
          m[t] = Math.pow(beta, n) * m[t - n] + window[t];
        }
        if (t >= n) {
          assertThat(unrolled(g, delta, n, t, beta, gamma)).isCloseTo(m[t], within(1e-13));
        }
      }
    }
  }

  /** Check 15, second part: relative errors of the reconstruction under fresh orders. */
  @Test
  void isOffByMultiplesOfItselfUnderFreshOrders() {
    for (double gamma : new double[] {0, 0.2, 1}) {
      double largest = 0;
      for (int seed = 0; seed < 50; seed++) {
        Random random = Seed.random(seed);
        double[] x = random.doubles(8, -3, 3).toArray();
        int[][] orders = new int[6][];
        for (int q = 0; q < 6; q++) {
          List<Integer> order = new ArrayList<>(List.of(0, 1, 2, 3, 4, 5, 6, 7));
          java.util.Collections.shuffle(order, random);
          orders[q] = order.stream().mapToInt(Integer::intValue).toArray();
        }
        Anchored traced = new Anchored(x, orders, 1 / 8.0, gamma, 0.02);
        for (int t = 1; t <= 48; t++) {
          double scale = Math.max(Math.abs(traced.exact[t]), 0.3);
          largest = Math.max(largest, Math.abs(traced.estimate[t] - traced.exact[t]) / scale);
        }
      }
      assertThat(largest > 0.5).isEqualTo(gamma < 1);
      if (gamma == 1) {
        assertThat(largest).isLessThan(1e-12);
      }
    }
  }

  /** Check 5: the printed noise of A1, and what it is really worth. */
  @Test
  void showsThatThePrintedNoiseIsFourTimesTooLarge() {
    int n = 1024;
    int steps = 8192;
    int depth = 13;
    double v = (Math.min(depth, 10) + 1) * (steps / n);
    for (int j = 11; j <= depth; j++) {
      v += steps >> j;
    }
    assertThat(v).isEqualTo(95);
    double sigma = 2 * Math.sqrt(Math.log(1e6));
    close(sigma, 7.4338443777);
    double printed = 4 / 1024.0 * sigma * Math.sqrt(v);
    close(printed, 0.2830318451);
    double exact = MomentumTree.block(n, 8, 1 - 1.0 / n, 0.0).energy();
    double mu = 2 / 1024.0 * Math.sqrt(exact) / printed;
    close(mu, 0.0577210090);
    close(GaussianDp.epsilon(mu, 1e-6), 0.2205923584);
    double required = 4.2246788893;
    close(GaussianDp.epsilon(1 / required, 1e-6), 1);
    close(2 / 1024.0 * required * Math.sqrt(exact), 0.0690180876);
  }

  /** Check 7, and 7.5 of the page: the printed sigma is too small for a large epsilon. */
  @Test
  void comparesSigmas() {
    double[][] cases = {
      {1, 1e-6, 7.43384, 5.34998, 4.22468},
      {4, 1e-8, 2.14597, 1.59576, 1.39558},
      {0.5, 1e-5, 13.57228, 9.70014, 7.03183},
      {10, 0.1, 0.30349, 0.35532, 0.28181}
    };
    for (double[] each : cases) {
      double l1 = Math.log(1 / each[1]);
      assertThat(2 * Math.sqrt(l1) / each[0]).isCloseTo(each[2], within(1e-5));
      double renyi = 1 / (Math.sqrt(2 * l1 + 2 * each[0]) - Math.sqrt(2 * l1));
      assertThat(renyi).isCloseTo(each[3], within(1e-5));
      assertThat(GaussianDp.epsilon(1 / each[4], each[1]))
          .isCloseTo(each[0], within(1e-4 * each[0]));
    }
  }

  /** Check 8. */
  @Test
  void convertsTheTotalsOfThePaper() {
    double sigma = 4 * Math.sqrt(Math.log(1e6));
    double l1 = Math.log(1e6);
    double[][] cases = {{3, 0.6191582870, 0.4672679224}, {4, 0.7161545829, 0.5450487653}};
    for (double[] each : cases) {
      double mu = Math.sqrt(each[0]) / sigma;
      close(mu * mu / 2 + mu * Math.sqrt(2 * l1), each[1]);
      close(GaussianDp.epsilon(mu, 1e-6), each[2]);
    }
  }

  /** Nodes of levels 0..k that lie under sliding windows of n leaves, by class, for one example. */
  private static int[] counts(int n, int epochs) {
    int k = 31 - Integer.numberOfLeadingZeros(n);
    int steps = n * epochs;
    int[][] counts = new int[4][n];
    for (int level = 0; level <= k; level++) {
      int length = 1 << level;
      for (int end = length; end <= steps; end += length) {
        for (int t = end - length + 1; t <= end; t++) {
          int at = (t - 1) % n;
          counts[end <= 2 * n ? 0 : 1][at]++;
          counts[2][at] += end - length >= n ? 1 : 0;
          counts[3][at]++;
        }
      }
    }
    int[] most = new int[4];
    for (int c = 0; c < 4; c++) {
      most[c] = java.util.Arrays.stream(counts[c]).max().getAsInt();
    }
    return most;
  }

  /** Check 9. */
  @Test
  void countsTheNodesOfAnExample() {
    assertThat(counts(8, 8)).containsExactly(8, 24, 28, 32);
    assertThat(counts(64, 16)).containsExactly(14, 98, 105, 112);
    assertThat(counts(100, 16)).containsExactly(14, 101, 105, 112);
    assertThat(counts(7, 5)).containsExactly(6, 9, 12, 15);
    assertThat(counts(1024, 16)).containsExactly(22, 154, 165, 176);
    double[] sensitivity = {1, 1, 1e-4 * 1024, 1e-4 * 1023};
    double[] bound = {22, 165, 165, 176};
    double[] expected = {9.3808315196, 25.6904651573, 2.6307036321, 2.7143257284};
    for (int c = 0; c < 4; c++) {
      close(sensitivity[c] * Math.sqrt(4 * bound[c]), expected[c]);
    }
  }

  /** Check 10: what an example weighs in a node that holds it many times. */
  @Test
  void boundsTheGeometricFactor() {
    double[][] cases = {
      {1e-3, 1.5815163122, 1.5819767069},
      {5e-4, 2.5410043320, 3.1639534137},
      {2e-3, 1.1561556046, 1.5819767069}
    };
    for (double[] each : cases) {
      close(1 / (1 - Math.pow(1 - each[0], 1000)), each[1]);
      double upper = Math.max(1, 1 / (each[0] * 1000)) / (1 - Math.exp(-1));
      close(upper, each[2]);
    }
    double alpha = 1 / 1001.0;
    close(1 + (1 - alpha) / (1 - Math.pow(1 - alpha, 1001)), 2.5799368354);
  }

  /** Check 12, the parameters of the theorems. */
  @Test
  void computesTheTheoremsParameters() {
    double n = 1e4;
    double d = 100;
    close(Math.pow(n, 7 / 3.0) / Math.pow(d, 2 / 3.0), 1e8);
    double steps = n;
    for (int i = 0; i < 200; i++) {
      double x = Math.log(steps) / Math.log(2) * Math.sqrt(d * Math.log(1e6));
      steps = n * n / x;
    }
    close(steps, 155957.895);
    close(1 / Math.sqrt(n * steps), 2.532190166e-5);
  }

  /** Check 3, last line: the damped square-root Toeplitz factor, by its series and in closed form. */
  @Test
  void sumsTheDampedRoot() {
    double[] alphas = {0.1, 0.01, 1.0 / 1024};
    double[] expected = {1.4518426734, 2.1368782611, 2.8695086187};
    for (int i = 0; i < alphas.length; i++) {
      double beta = 1 - alphas[i];
      double term = 1; // binom(2k, k) / 4^k beta^k
      double sum = 0;
      for (int k = 0; k < 100_000; k++) {
        sum += term * term;
        term *= beta * (2 * k + 1.0) / (2 * k + 2);
      }
      assertThat(sum).isCloseTo(expected[i], within(1e-9));
      double a = 1; // the mean that Gauss found, of 1 and the root of 1 - beta^2
      double b = Math.sqrt(1 - beta * beta);
      for (int turn = 0; turn < 20; turn++) {
        double mean = (a + b) / 2;
        b = Math.sqrt(a * b);
        a = mean;
      }
      assertThat(sum).isCloseTo(1 / a, within(1e-9));
    }
  }
}
