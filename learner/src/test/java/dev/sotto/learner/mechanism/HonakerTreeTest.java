package dev.sotto.learner.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.key.KeyedNoise;
import dev.sotto.learner.key.NoiseKey;
import java.util.Arrays;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HonakerTreeTest {
  private static final KeyedNoise NOISE = new KeyedNoise(NoiseKey.of(new byte[32]), 0x1p21);
  private final Mechanism tree = new HonakerTree();

  private static byte[] digest(long round) {
    return new byte[] {(byte) round, (byte) (round >> 8), 1};
  }

  /** docs/blt.md, "Numbers to check against", "tree + Honaker": the largest error at mu = 1. */
  @ParameterizedTest
  @CsvSource({"6, 5.154", "10, 7.989", "14, 10.819", "20, 15.062"})
  void hasTheErrorsOfThePage(int levels, double expected) {
    double largest = 0;
    for (long rounds = 1; rounds <= 1L << levels; rounds++) {
      largest = Math.max(largest, tree.prefixVariance(rounds));
    }
    double error = Math.sqrt(largest) * tree.sensitivity(1L << levels);
    assertThat(error).isCloseTo(expected, within(5e-4));
  }

  /** The variance of the best linear unbiased estimate of a block from all the nodes in it. */
  @Test
  void estimatesABlockAsWellAsItsNodesAllow() {
    for (int levels = 0; levels <= 6; levels++) {
      DMatrixRMaj nodes = HonakerMatrix.nodes(1 << levels);
      DMatrixRMaj information = new DMatrixRMaj(1 << levels, 1 << levels);
      CommonOps_DDRM.multTransA(nodes, nodes, information);
      double[] ones = new double[1 << levels];
      Arrays.fill(ones, 1);
      double best = Arrays.stream(Separation.solve(information, ones)).sum();
      assertThat(HonakerTree.variance(levels)).isCloseTo(best, within(1e-12));
      assertThat(tree.prefixVariance(1L << levels)).isEqualTo(HonakerTree.variance(levels));
    }
  }

  @Test
  void statesTheVariancesOfItsMatrix() {
    int rounds = 256;
    DMatrixRMaj covariance = HonakerMatrix.prefixCovariance(rounds);
    double changes = 0;
    for (int t = 0; t < rounds; t++) {
      assertThat(tree.prefixVariance(t + 1)).isCloseTo(covariance.get(t, t), within(1e-12));
      double before = t == 0 ? 0 : covariance.get(t - 1, t - 1) - 2 * covariance.get(t - 1, t);
      changes += covariance.get(t, t) + before;
    }
    // What the last block of 2^8 replaces is rarer than it will be in the long run: 2^-8 of 5.
    assertThat(changes / rounds).isCloseTo(tree.incrementVariance(), within(0.02));
  }

  @Test
  void hasColumnsOfTheStatedNorm() {
    for (int rounds = 1; rounds <= 40; rounds++) {
      DMatrixRMaj nodes = HonakerMatrix.nodes(rounds);
      double largest = 0;
      for (int round = 0; round < rounds; round++) {
        double squares = 0;
        for (int node = 0; node < nodes.numRows; node++) {
          squares += nodes.get(node, round);
        }
        largest = Math.max(largest, squares);
      }
      assertThat(tree.sensitivity(rounds)).isEqualTo(Math.sqrt(largest));
    }
  }

  /**
   * A block's estimate, straight from the definition: each node from the digest of the round of its
   * birth.
   */
  private static double[] estimate(int level, long node, int dimension) {
    double[] own = new double[dimension];
    NOISE.draw(
        digest(node << level),
        "dyadic-node-" + level,
        node,
        dimension,
        (from, z, length) -> System.arraycopy(z, 0, own, from, length));
    if (level == 0) {
      return own;
    }
    double[] left = estimate(level - 1, 2 * node - 1, dimension);
    double[] right = estimate(level - 1, 2 * node, dimension);
    double weight = HonakerTree.variance(level);
    Arrays.setAll(own, i -> weight * own[i] + (1 - weight) * (left[i] + right[i]));
    return own;
  }

  @Test
  void givesOutTheRoundingOfOneRealSumOfEstimates() {
    int dimension = 2000; // beyond one stretch of coordinates
    NoiseState walk = tree.start();
    long[] given = new long[dimension];
    for (int t = 1; t <= 37; t++) {
      walk.advance(t, digest(t), NOISE, given);
      double[] expected = new double[dimension];
      int covered = 0;
      for (int left = t; left > 0; left -= Integer.highestOneBit(left)) {
        int level = 31 - Integer.numberOfLeadingZeros(left);
        covered += 1 << level;
        double[] block = estimate(level, covered >> level, dimension);
        Arrays.setAll(expected, i -> expected[i] + block[i]);
      }
      for (int i = 0; i < dimension; i++) {
        assertThat(given[i]).isEqualTo((long) Math.rint(expected[i]));
      }
    }
  }

  @Test
  void keepsOneVectorForEachBinaryDigit() {
    NoiseState walk = tree.start();
    for (int t = 1; t <= 300; t++) {
      walk.advance(t, digest(t), NOISE, new long[3]);
      assertThat(walk.state()).hasSize(2 + 8 * 3 * Integer.bitCount(t));
    }
  }

  @Test
  void refusesStatesThatAreNotItsOwn() {
    NoiseState walk = tree.start();
    for (int t = 1; t <= 3; t++) {
      walk.advance(t, digest(t), NOISE, new long[5]);
    }
    byte[] state = walk.state();
    byte[] version = state.clone();
    version[0]++;
    byte[] blocks = state.clone();
    blocks[1] = 3;
    byte[] none = state.clone();
    none[1] = 0;
    for (byte[] wrong : new byte[][] {
      version, blocks, none, {}, {1}, {1, 1}, {1, -1}, Arrays.copyOf(state, state.length - 1)
    }) {
      assertThatThrownBy(() -> tree.resume(wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("tree of estimates");
    }
    assertThatThrownBy(() -> tree.resume(state).advance(5, digest(5), NOISE, new long[5]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cannot follow 2 blocks");
    assertThatThrownBy(() -> tree.resume(state).advance(4, digest(4), NOISE, new long[4]))
        .hasMessageContaining("of 4 coordinates cannot follow 2 blocks of 5");
    tree.resume(state).advance(4, digest(4), NOISE, new long[5]);
  }
}
