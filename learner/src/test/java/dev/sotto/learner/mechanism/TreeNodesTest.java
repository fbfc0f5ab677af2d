package dev.sotto.learner.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.key.KeyedNoise;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.release.ClippedSum;
import dev.sotto.learner.release.Lattice;
import dev.sotto.learner.release.Releaser;
import java.util.Arrays;
import org.ejml.data.DMatrixRMaj;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * A node's noise is drawn once (docs/privacy.md, "Noise mechanisms"): what the prefixes share, and
 * what else it would cost.
 */
class TreeNodesTest {
  private static final NoiseKey KEY = NoiseKey.of(new byte[32]);
  private static final int ROUNDS = 15;
  private static final int WIDE = 20_000;
  private static final double SIGMA = 4;

  private record Releases(Lattice lattice, long[][] prefixes, byte[][] digests) {
    KeyedNoise noise() {
      return new KeyedNoise(KEY, SIGMA / lattice.unit());
    }
  }

  /** The noisy prefixes of rounds of null slots, in lattice units: noise and nothing else. */
  private static Releases releases(Mechanism mechanism, int dimension) {
    Lattice lattice = Lattice.fit(1, SIGMA, dimension, 2);
    double[] mean = new double[dimension];
    Releaser releaser =
        Releaser.start(lattice, mechanism, SIGMA, KEY, new byte[16], new byte[32], mean);
    ClippedSum sum = new ClippedSum(lattice);
    long[][] prefixes = new long[ROUNDS + 1][dimension];
    byte[][] digests = new byte[ROUNDS + 1][];
    for (int t = 1; t <= ROUNDS; t++) {
      sum.addNothing();
      sum.addNothing();
      releaser.release(sum, mean, new byte[16], 0).mean(mean);
      for (int i = 0; i < dimension; i++) {
        prefixes[t][i] = (long) (mean[i] * 2 / lattice.unit()); // powers of two: exact
      }
      digests[t] = releaser.digest();
    }
    return new Releases(lattice, prefixes, digests);
  }

  private static long[] node(Releases releases, int node, int drawnIn) {
    long[] noise = new long[releases.lattice().dimension()];
    releases.noise().add(releases.digests()[drawnIn], "tree-node", node, 1, noise);
    return noise;
  }

  private static long[] sum(long[] a, long[] b) {
    long[] sum = new long[a.length];
    Arrays.setAll(sum, i -> a[i] + b[i]);
    return sum;
  }

  @Test
  void sharesOneDrawOfANodeAmongAllPrefixesThatUseIt() {
    Releases releases = releases(new BinaryTree(), 5);
    long[] four = node(releases, 4, 4);
    long[][] prefixes = releases.prefixes();
    assertThat(prefixes[4]).containsExactly(four);
    assertThat(prefixes[5]).containsExactly(sum(four, node(releases, 5, 5)));
    assertThat(prefixes[6]).containsExactly(sum(four, node(releases, 6, 6)));
    long[] sixAndSeven = sum(node(releases, 6, 6), node(releases, 7, 7));
    assertThat(prefixes[7]).containsExactly(sum(four, sixAndSeven));
    // The broken twin would have drawn node 4 again, from a later digest.
    for (int later = 5; later <= 7; later++) {
      assertThat(node(releases, 4, later)).isNotEqualTo(four);
    }
  }

  /** N_t of a tree that draws every node of a prefix from the digest of the present round. */
  private static long[][] redrawn(Releases releases) {
    long[][] prefixes = new long[ROUNDS + 1][releases.lattice().dimension()];
    for (int t = 1; t <= ROUNDS; t++) {
      for (int m = t; m > 0; m -= Integer.lowestOneBit(m)) {
        prefixes[t] = sum(prefixes[t], node(releases, m, t));
      }
    }
    return prefixes;
  }

  /** In units of sigma^2, over the coordinates. */
  private static double covariance(Releases releases, long[] a, long[] b) {
    double scale = releases.lattice().unit() / SIGMA;
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * scale * (b[i] * scale);
    }
    return sum / a.length;
  }

  /**
   * The square of what the best linear statistic of all prefixes tells about a unit vector in one
   * round: 1' Cov^-1 1 over the prefixes from that round on.
   */
  private static double told(Releases releases, long[][] prefixes, int round) {
    DMatrixRMaj covariance = new DMatrixRMaj(ROUNDS, ROUNDS);
    for (int s = 1; s <= ROUNDS; s++) {
      for (int t = 1; t <= ROUNDS; t++) {
        covariance.set(s - 1, t - 1, covariance(releases, prefixes[s], prefixes[t]));
      }
    }
    double[] moved = new double[ROUNDS];
    Arrays.fill(moved, round - 1, ROUNDS, 1);
    double[] best = Separation.solve(covariance, moved);
    double told = 0;
    for (int t = 0; t < ROUNDS; t++) {
      told += best[t] * moved[t];
    }
    return told;
  }

  // A Wishart matrix of n draws gives 1' Cov^-1 1 a relative standard deviation of about sqrt(2 /
  // n), 1 in 100 here; 5.5 of them in 15 checks are exceeded less than once in 1e6 runs.
  private static final double TOLERANCE = 5.5 * Math.sqrt(2.0 / WIDE);

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "LAPLACE") // its sensitivity is no mu
  void tellsNoMoreOfAnyRoundThanTheSensitivityStates(Mechanisms each) {
    PrefixMechanism mechanism = each.make();
    Releases releases = releases(mechanism, WIDE);
    double stated = Math.pow(mechanism.sensitivity(ROUNDS), 2);
    double most = 0;
    for (int round = 1; round <= ROUNDS; round++) {
      double told = told(releases, releases.prefixes(), round);
      assertThat(told).isLessThan(stated * (1 + TOLERANCE));
      most = Math.max(most, told);
    }
    assertThat(most).as("it is tight").isGreaterThan(stated * (1 - TOLERANCE));
  }

  /**
   * With fresh noise on every prefix the cost grows as t: here 8.58 where the ledger would say 4.
   */
  @Test
  void wouldTellMoreIfNodesWereDrawnAgain() {
    Releases releases = releases(new BinaryTree(), WIDE);
    double expected = 0;
    for (int t = 1; t <= ROUNDS; t++) {
      expected += 1.0 / Integer.bitCount(t);
    }
    double told = told(releases, redrawn(releases), 1);
    assertThat(told).isCloseTo(expected, within(expected * TOLERANCE));
    assertThat(told).isGreaterThan(2 * Math.pow(new BinaryTree().sensitivity(ROUNDS), 2));
  }

  /** From round 6 to 7 one node is born and none dies; drawn again, five draws would change. */
  @Test
  void changesByTheNodesThatAreBornAndDieOnly() {
    Releases releases = releases(new BinaryTree(), WIDE);
    assertThat(stepVariance(releases, releases.prefixes())).isCloseTo(1, within(TOLERANCE));
    assertThat(stepVariance(releases, redrawn(releases))).isCloseTo(5, within(5 * TOLERANCE));
  }

  private static double stepVariance(Releases releases, long[][] prefixes) {
    long[] step = new long[WIDE];
    Arrays.setAll(step, i -> prefixes[7][i] - prefixes[6][i]);
    return covariance(releases, step, step);
  }
}
