package dev.sotto.learner.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.mechanism.WindowTree;
import dev.sotto.testing.Seed;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WindowSumTest {
  private static final NoiseKey KEY = NoiseKey.of(new byte[32]);
  private static final Lattice LATTICE = new Lattice(0x1p-30, 1, 2, 8);

  private static byte[] digest(long leaf) {
    return ByteBuffer.allocate(32).putLong(leaf).array();
  }

  private static double[] leaf(Random random) {
    return new double[] {(random.nextInt(2001) - 1000) * 0x1p-30, random.nextInt(99) * 0x1p-30};
  }

  /** Without noise, what is given out is the sum of the window's leaves to the bit. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 8, 13})
  void sumsTheLastPass(int batches) {
    int passes = 4;
    WindowSum sum = new WindowSum(LATTICE, 0, new WindowTree(batches, passes, 0.1));
    Random random = Seed.random(1);
    double[][] leaves = new double[batches * passes][];
    double[] value = new double[2];
    for (int t = 0; t < leaves.length; t++) {
      leaves[t] = leaf(random);
      sum.take(leaves[t], digest(t), KEY);
      sum.value(value);
      int from = t < batches ? 0 : Math.max(batches, t - batches + 1);
      double[] expected = new double[2];
      for (int i = from; i <= t; i++) {
        expected[0] += leaves[i][0];
        expected[1] += leaves[i][1];
      }
      assertThat(value).containsExactly(expected);
    }
    assertThatThrownBy(() -> sum.take(new double[2], digest(0), KEY))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is full");
  }

  /** What windows read, counted leaf by leaf: the price of one participation is 1 at most. */
  @Test
  void costsOneParticipation() {
    for (int batches = 1; batches <= 17; batches++) {
      for (int passes = 2; passes <= 5; passes++) {
        WindowTree tree = new WindowTree(batches, passes, 0.2);
        double worst = 0;
        for (int batch = 0; batch < batches; batch++) {
          double price = 0;
          for (int level = 0; level <= tree.topLevel(); level++) {
            int length = 1 << level;
            for (boolean first : new boolean[] {true, false}) {
              int leaves = first ? batches : batches * (passes - 1);
              for (int end = length; end <= leaves; end += length) {
                int held = 0;
                for (int t = end - length; t < end; t++) {
                  held += t % batches == batch ? 1 : 0;
                }
                price += held * held / Math.pow(tree.nodeNoise(first), 2);
              }
            }
          }
          worst = Math.max(worst, price);
        }
        assertThat(worst).isLessThanOrEqualTo(1).isGreaterThan(0.4);
      }
    }
  }

  @Test
  void drawsNoiseForEveryNodeAndOnce() {
    WindowTree tree = new WindowTree(4, 3, 0.1);
    WindowSum sum = new WindowSum(LATTICE, 1e-3, tree);
    double[] value = new double[2];
    double[] before = new double[2];
    for (int t = 1; t <= 12; t++) {
      sum.take(new double[2], digest(t), KEY);
      sum.value(value);
      // A draw rounds to nothing with a probability of 1e-7 here.
      assertThat(value[0]).isNotZero().isNotEqualTo(before[0]);
      before = value.clone();
      sum.value(value);
      assertThat(value).containsExactly(before);
    }
    sum.forget(2);
    assertThatThrownBy(() -> sum.value(value)).hasMessageContaining("is missing");
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 1 << 20})
  void goesOnWithTheSameBitsWhereverItStops(int pageBytes) {
    for (int batches : new int[] {1, 3, 8, 11}) {
      WindowTree tree = new WindowTree(batches, 5, 0.1);
      WindowSum through = new WindowSum(LATTICE, 1e-3, tree);
      WindowSum stopped = new WindowSum(LATTICE, 1e-3, tree);
      Random random = Seed.random(2);
      double[] expected = new double[2];
      double[] value = new double[2];
      for (int t = 1; t <= 2 * tree.leaves(); t++) {
        if (through.leaves == tree.leaves()) {
          through.restart();
          stopped.restart();
        }
        double[] leaf = leaf(random);
        stopped = new WindowSum(LATTICE, 1e-3, tree, stopped.state(pageBytes).copy());
        through.take(leaf, digest(t), KEY);
        stopped.take(leaf, digest(t), KEY);
        through.value(expected);
        stopped.value(value);
        assertThat(value).containsExactly(expected);
        assertThat(stopped.state(64).join()).isEqualTo(through.state(64).join());
      }
    }
  }

  @Test
  void isReadFromALedgerAgain() {
    WindowTree tree = new WindowTree(16, 8, 0.125);
    WindowTree read = (WindowTree) Mechanisms.of(tree.name(), tree.parameters());
    assertThat(read.parameters()).isEqualTo("16*8 first=0x1.0p-3");
    assertThat(read.nodeNoise(true)).isEqualTo(tree.nodeNoise(true));
    assertThat(tree.fits(
            Optional.of(new QuerySchedule(List.of(new QuerySchedule.Segment(0, 32, 16, 1, 8, 1))))))
        .isTrue();
    assertThat(tree.fits(Optional.of(QuerySchedule.onePass(16, 2)))).isFalse();
    assertThat(tree.leastNoise()).isCloseTo(Math.sqrt(5 / 0.125), within(1e-9));
    assertThatThrownBy(() -> WindowTree.parse("16*1 first=0x1.0p-3"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> new WindowSum(new Lattice(0x1p-30, 1, 2, 1 << 20), 1, new WindowTree(16, 2, 0.5)))
        .hasMessageContaining("below 2^53 lattice units");
  }
}
