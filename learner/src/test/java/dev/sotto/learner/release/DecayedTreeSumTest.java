package dev.sotto.learner.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.key.KeyedNoise;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.mechanism.MomentumTree;
import dev.sotto.learner.mechanism.PagedBytes;
import dev.sotto.testing.Seed;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/development/figures.md, "Momentum", and docs/momentum.md, "Pitfalls". */
class DecayedTreeSumTest {
  private static final NoiseKey KEY = NoiseKey.of(new byte[32]);
  private static final double UNIT = 0x1p-40;

  private static byte[] digest(long leaf) {
    return ByteBuffer.allocate(32).putLong(leaf).array();
  }

  private static Lattice lattice(int dimension) {
    return new Lattice(UNIT, 8, dimension, 1);
  }

  private static double onLattice(double value) {
    return Math.rint(value / UNIT) * UNIT;
  }

  /** The reference of the page's section 1.1: the nodes that cover [from, to], left to right. */
  private static List<long[]> compose(long from, long to) {
    List<long[]> nodes = new ArrayList<>();
    long at = from;
    while (at <= to) {
      int longest = 63 - Long.numberOfLeadingZeros(to - at + 1);
      int level = at == 1 ? longest : Math.min(Long.numberOfTrailingZeros(at - 1), longest);
      nodes.add(new long[] {at, at + (1L << level) - 1});
      at += 1L << level;
    }
    return nodes;
  }

  private static String text(List<long[]> nodes) {
    StringBuilder text = new StringBuilder();
    nodes.forEach(
        each -> text.append('[').append(each[0]).append(',').append(each[1]).append(']'));
    return text.toString();
  }

  @Test
  void coversAPrefixAsThePageSays() {
    assertThat(text(compose(1, 13))).isEqualTo("[1,8][9,12][13,13]");
    assertThat(text(compose(3, 10))).isEqualTo("[3,4][5,8][9,10]");
    assertThat(text(compose(6, 13))).isEqualTo("[6,6][7,8][9,12][13,13]");
    assertThat(text(compose(1, 8))).isEqualTo("[1,8]");
    assertThat(text(compose(1, 0))).isEmpty();
  }

  /**
   * The reference of the page's section 1.3: exact momentum and node noises apart. It is not sound
   * in floating point, and so in tests only.
   */
  private static final class Reference {
    private final double alpha;
    private final Map<Integer, double[]> live = new HashMap<>(); // level to noise and end
    private double momentum;
    private long t;

    Reference(double alpha) {
      this.alpha = alpha;
    }

    double noise(double leaf, double nodeNoise) {
      t++;
      int level = Long.numberOfTrailingZeros(t);
      live.keySet().removeIf(each -> each < level);
      live.put(level, new double[] {nodeNoise, t});
      momentum = (1 - alpha) * momentum + alpha * leaf;
      return live.values().stream()
          .mapToDouble(each -> Math.pow(1 - alpha, t - each[1]) * each[0])
          .sum();
    }
  }

  private static final double[] LEAVES = {1, 2, -1, 4, 3, 0, -2};
  private static final double[] MOMENTA = {
    0.25, 0.6875, 0.265625, 1.19921875, 1.6494140625, 1.237060546875, 0.42779541015625
  };
  private static final double[] NOISES = {0.11, 0.12, 0.42, 0.14, 0.655, 0.63875, 1.2490625};

  /** Check 2, with zeta[y, z] = 0.1 y + 0.01 z. */
  @Test
  void addsUpAsThePageSays() {
    Reference reference = new Reference(0.25);
    DecayedTreeSum tree = new DecayedTreeSum(lattice(1), 0, MomentumTree.endless(0.75, 0x1p-9));
    double[] value = new double[1];
    for (int t = 1; t <= LEAVES.length; t++) {
      double first = t - Integer.lowestOneBit(t) + 1;
      double noise = reference.noise(LEAVES[t - 1], 0.1 * first + 0.01 * t);
      assertThat(reference.momentum).isCloseTo(MOMENTA[t - 1], within(1e-12));
      assertThat(noise).isCloseTo(NOISES[t - 1], within(1e-12));
      tree.take(new double[] {LEAVES[t - 1]}, digest(t), KEY);
      tree.value(value);
      assertThat(0.25 * value[0]).isCloseTo(MOMENTA[t - 1], within(1e-11));
    }
  }

  /** Noise included: the draws of the product, weighed and summed as the reference does. */
  @ParameterizedTest
  @ValueSource(doubles = {0.5, 0.25, 0.02})
  void agreesWithTheReferenceForm(double alpha) {
    MomentumTree mechanism = MomentumTree.endless(1 - alpha, 0x1p-9);
    double sigma = 0x1p-12;
    DecayedTreeSum tree = new DecayedTreeSum(lattice(1), sigma, mechanism);
    Reference reference = new Reference(alpha);
    KeyedNoise noise = new KeyedNoise(KEY, sigma * mechanism.nodeNoise() / UNIT);
    Random random = Seed.random(5);
    double[] value = new double[1];
    double momentum = 0;
    for (int t = 1; t <= 200; t++) {
      double leaf = onLattice(random.nextGaussian());
      long[] drawn = new long[1];
      noise.add(digest(t), "momentum-node", t, 1, drawn);
      double zeta = reference.noise(leaf, drawn[0] * UNIT);
      momentum = (1 - alpha) * momentum + leaf;
      tree.take(new double[] {leaf}, digest(t), KEY);
      tree.value(value);
      // One unit for each leaf that is not cut to zero: 2^41 units are after 41 ln 2 / alpha.
      assertThat(value[0]).isCloseTo(momentum + zeta, within(30 * UNIT / alpha + 1e-13 / alpha));
      assertThat(zeta).isNotZero();
    }
  }

  private static DecayedTreeSum tree(MomentumTree mechanism, double sigma) {
    return new DecayedTreeSum(lattice(3), sigma, mechanism);
  }

  private static double[] leaf(Random random) {
    return new double[] {onLattice(random.nextGaussian()), onLattice(2 * random.nextDouble()), 0};
  }

  /**
   * With noise of whole units the values of all nodes stay whole units: what is given out is a
   * weighted sum of lattice points, recomputed here from integers.
   */
  @Test
  void keepsEveryNodeOnTheLattice() {
    MomentumTree mechanism = MomentumTree.endless(0.9, 0x1p-9);
    DecayedTreeSum tree = tree(mechanism, 1e-6);
    Random random = Seed.random(7);
    List<double[]> leaves = new ArrayList<>();
    Map<Long, long[]> nodes = new HashMap<>();
    KeyedNoise noise = new KeyedNoise(KEY, 1e-6 * mechanism.nodeNoise() / UNIT);
    double[] value = new double[3];
    for (long t = 1; t <= 300; t++) {
      leaves.add(leaf(random));
      tree.take(leaves.get((int) t - 1), digest(t), KEY);
      long[] node = new long[3];
      long length = Math.min(Long.lowestOneBit(t), 1L << mechanism.topLevel());
      for (long y = t - length + 1; y <= t; y++) {
        for (int i = 0; i < 3; i++) {
          node[i] += (long) (mechanism.factor(t - y) * (leaves.get((int) y - 1)[i] / UNIT));
        }
      }
      noise.add(digest(t), "momentum-node", t, 1, node);
      nodes.put(t, node);
      double[] expected = new double[3];
      List<Long> ends = new ArrayList<>();
      for (long end = t; end > 0; end -= 1L << mechanism.levelEndingAt(end)) {
        ends.add(0, end);
      }
      for (long end : ends) {
        for (int i = 0; i < 3 && !mechanism.isFaint(t - end); i++) {
          expected[i] += mechanism.factor(t - end) * UNIT * nodes.get(end)[i];
        }
      }
      tree.value(value);
      assertThat(value).containsExactly(expected); // to the bit
    }
  }

  /** Whether some coordinate of what is given out is known from the leaves alone. */
  private static boolean leaks(MomentumTree mechanism, int leaves, boolean withoutRoot) {
    DecayedTreeSum tree = tree(mechanism, 1e-3);
    // The planted fault of the page's section 7.1: no noise where a node of the top level ends.
    DecayedTreeSum fault = tree(mechanism, 0);
    double[] value = new double[3];
    for (long t = 1; t <= leaves; t++) {
      double[] leaf = {1, 1, 0};
      tree.take(leaf, digest(t), KEY);
      fault.take(leaf, digest(t), KEY);
      boolean root = Long.bitCount(t) == 1 && t == leaves;
      (withoutRoot && root ? fault : tree).value(value);
      if (value[2] == 0) {
        return true;
      }
    }
    return false;
  }

  /** A draw rounds to 0 units with a probability of 1e-10 here; over 192 draws, below 1e-7. */
  @Test
  void givesNoNodeOutWithoutNoise() {
    MomentumTree mechanism = MomentumTree.block(8, 8, 0.875, 0x1p-9);
    assertThat(leaks(mechanism, 64, false)).isFalse();
    assertThat(leaks(mechanism, 64, true)).isTrue();
    assertThat(leaks(MomentumTree.endless(0.5, 0x1p-9), 128, false)).isFalse();
  }

  /** While a node lives, its noise stays: steps without new leaves differ by the new nodes only. */
  @Test
  void drawsNoNoiseTwice() {
    MomentumTree mechanism = MomentumTree.endless(0.9, 0x1p-9);
    DecayedTreeSum tree = tree(mechanism, 1e-3);
    KeyedNoise noise = new KeyedNoise(KEY, 1e-3 * mechanism.nodeNoise() / UNIT);
    double[] before = new double[3];
    double[] after = new double[3];
    for (long t = 1; t <= 200; t++) {
      tree.take(new double[3], digest(t), KEY);
      tree.value(after);
      if (t % 2 == 1 && t > 1) { // one node more, no node less
        long[] fresh = new long[3];
        noise.add(digest(t), "momentum-node", t, 1, fresh);
        for (int i = 0; i < 3; i++) {
          assertThat(after[i]).isCloseTo(0.9 * before[i] + fresh[i] * UNIT, within(1e-16));
        }
      }
      before = after.clone();
    }
  }

  @Test
  void drawsNoiseForEachNodeApart() {
    DecayedTreeSum tree = tree(MomentumTree.endless(0.5, 0x1p-9), 1e-3);
    double[] one = new double[3];
    double[] two = new double[3];
    tree.take(new double[3], digest(1), KEY);
    tree.value(one);
    tree.take(new double[3], digest(1), KEY); // even under the same digest
    tree.value(two);
    assertThat(two[0]).isNotEqualTo(one[0]);
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 40, 1 << 20})
  void goesOnWithTheSameBitsWhereverItStops(int pageBytes) {
    for (MomentumTree mechanism : List.of(
        MomentumTree.endless(0.5, 0x1p-9), // capped at 64 leaves
        MomentumTree.endless(0.95, 0x1p-9),
        MomentumTree.block(10, 15, 0.9, 0x1p-9))) {
      DecayedTreeSum through = tree(mechanism, 1e-3);
      DecayedTreeSum stopped = tree(mechanism, 1e-3);
      Random random = Seed.random(3);
      double[] expected = new double[3];
      double[] value = new double[3];
      for (long t = 1; t <= 150; t++) {
        double[] leaf = leaf(random);
        through.take(leaf.clone(), digest(t), KEY);
        PagedBytes state = stopped.state(pageBytes).copy();
        stopped = new DecayedTreeSum(lattice(3), 1e-3, mechanism, state);
        stopped.take(leaf, digest(t), KEY);
        assertThat(stopped.leaves).isEqualTo(t);
        through.value(expected);
        stopped.value(value);
        assertThat(value).containsExactly(expected);
        assertThat(stopped.state(64).join()).isEqualTo(through.state(64).join());
      }
    }
  }

  @Test
  void beginsAnotherTreeWithoutATrace() {
    MomentumTree mechanism = MomentumTree.block(4, 2, 0.75, 0x1p-9);
    DecayedTreeSum again = tree(mechanism, 1e-3);
    Random random = Seed.random(3);
    for (long t = 1; t <= 7; t++) {
      again.take(leaf(random), digest(t), KEY);
    }
    again.restart();
    assertThat(again.leaves).isZero();
    DecayedTreeSum fresh = tree(mechanism, 1e-3);
    double[] expected = new double[3];
    double[] value = new double[3];
    for (long t = 1; t <= 8; t++) {
      double[] leaf = leaf(random);
      again.take(leaf, digest(100 + t), KEY);
      fresh.take(leaf, digest(100 + t), KEY);
      again.value(value);
      fresh.value(expected);
      assertThat(value).containsExactly(expected);
    }
    assertThatThrownBy(() -> again.take(new double[3], digest(9), KEY))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is full");
  }

  @Test
  void throwsWhereANodeIsMissing() {
    MomentumTree mechanism = MomentumTree.endless(0.9, 0x1p-9);
    DecayedTreeSum tree = tree(mechanism, 1e-3);
    for (long t = 1; t <= 6; t++) {
      tree.take(new double[3], digest(t), KEY);
    }
    tree.forget(2); // [1, 4]
    assertThatThrownBy(() -> tree.value(new double[3]))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the node of level 2 that ends at leaf 4 is missing");
  }

  /** A leaf's change moves a node by no more than is charged, rounding included: 1.5. */
  @Test
  void movesNodesByNoMoreThanIsCharged() {
    Random random = Seed.random(11);
    double beta = 0.83;
    MomentumTree mechanism = MomentumTree.endless(beta, 0x1p-9);
    int dimension = 64;
    Lattice coarse = new Lattice(0x1p-14, 1, dimension, 1);
    double charge = 2 * Math.sqrt(dimension) * coarse.unit();
    double[] one = new double[dimension];
    double[] other = new double[dimension];
    double largest = 0;
    for (int trial = 0; trial < 300; trial++) {
      DecayedTreeSum first = new DecayedTreeSum(coarse, 0, mechanism);
      DecayedTreeSum second = new DecayedTreeSum(coarse, 0, mechanism);
      int moved = random.nextInt(8) + 1;
      double norm = 0;
      for (int t = 1; t <= 8; t++) {
        double[] leaf = new double[dimension];
        double[] changed = new double[dimension];
        for (int i = 0; i < dimension; i++) {
          leaf[i] = (random.nextInt(41) - 20) * coarse.unit();
          changed[i] = leaf[i] + (t == moved ? (random.nextInt(5) - 2) * coarse.unit() : 0);
          norm += (leaf[i] - changed[i]) * (leaf[i] - changed[i]);
        }
        first.take(leaf, digest(t), KEY);
        second.take(changed, digest(t), KEY);
      }
      first.value(one); // after 8 leaves: the node [1, 8] alone
      second.value(other);
      double change = 0;
      for (int i = 0; i < dimension; i++) {
        change += (one[i] - other[i]) * (one[i] - other[i]);
      }
      double excess = Math.sqrt(change) - Math.pow(beta, 8 - moved) * Math.sqrt(norm);
      assertThat(excess).isLessThanOrEqualTo(charge);
      largest = Math.max(largest, excess);
    }
    assertThat(largest).isPositive(); // without a charge it would be exceeded
  }

  @Test
  void refusesLatticesOnWhichItCouldNotBeExact() {
    MomentumTree slow = MomentumTree.endless(1 - 0x1p-12, 0x1p-9);
    assertThatThrownBy(() -> new DecayedTreeSum(lattice(3), 1, slow))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("batch * clip / alpha must be below 2^53");
    assertThatThrownBy(() -> new DecayedTreeSum(lattice(3), 1, MomentumTree.endless(0.5, 0x1p-60)))
        .hasMessageContaining("the rounding of a leaf must be at most");
  }

  /** What is fitted beforehand holds for the lattice that is fitted afterwards. */
  @Test
  void takesTheLatticeThatIsFittedToItsNoise() {
    for (double mu : new double[] {1e-3, 0.1, 1, 30}) {
      for (int kappa = 1; kappa <= 2; kappa++) {
        for (int dimension : new int[] {1, 50, 10_000}) {
          for (double clip : new double[] {1e-3, 1, 77}) {
            for (MomentumTree mechanism : List.of(
                MomentumTree.endless(0.99, dimension, mu),
                MomentumTree.block(16, 8, 0.9375, dimension, mu))) {
              double sigma = kappa * clip / mu;
              Lattice lattice = Lattice.fit(clip, sigma * mechanism.leastNoise(), dimension, 100);
              assertThat(new DecayedTreeSum(lattice, sigma, mechanism).leaves).isZero();
            }
          }
        }
      }
    }
  }
}
