package dev.sotto.learner.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.participation.ColumnDecay;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WindowRowsTest {
  /** Windows of one leaf are answers with fresh noise each. */
  @Test
  void isDiagonalForOneBatch() {
    WindowTree tree = new WindowTree(1, 3, 0.5);
    WindowRows rows = new WindowRows(tree);
    for (int t = 1; t <= 3; t++) {
      for (int q = 1; q <= 3; q++) {
        double expected = t == q ? 1 / tree.nodeNoise(t == 1) : 0;
        assertThat(rows.moved(t, q)).isCloseTo(expected, within(1e-12));
      }
    }
  }

  /** Two batches: the prefix of two is a node of its own, as are both leaves. */
  @Test
  void whitensWindowsOfTwo() {
    WindowTree tree = new WindowTree(2, 2, 0.5);
    double noise = tree.nodeNoise(true);
    WindowRows rows = new WindowRows(tree);
    assertThat(rows.moved(1, 1)).isCloseTo(1 / noise, within(1e-12));
    assertThat(rows.moved(2, 1)).isCloseTo(1 / noise, within(1e-12));
    assertThat(rows.moved(2, 2)).isCloseTo(1 / noise, within(1e-12));
    assertThat(rows.row(2)).hasSize(2);
  }

  /** What is visible of a batch never costs more than all nodes together: one participation. */
  @ParameterizedTest
  @CsvSource({"1, 2", "2, 3", "3, 2", "5, 4", "8, 3", "13, 2", "16, 8"})
  void showsNoMoreThanTheNodesDo(int batches, long passes) {
    WindowRows rows = new WindowRows(new WindowTree(batches, passes, 0.25));
    double most = 0;
    for (int batch = 1; batch <= batches; batch++) {
      double squares = 0;
      for (int t = 1; t <= batches * passes; t++) {
        double moved = 0;
        for (int q = batch; q <= t; q += batches) {
          moved += rows.moved(t, q);
        }
        squares += moved * moved;
      }
      most = Math.max(most, squares);
    }
    assertThat(Math.sqrt(most)).isLessThanOrEqualTo(1).isGreaterThan(0.5);
  }

  /** What an answer sums: all leaves so far of the first pass, later the last n of later passes. */
  private static boolean isSummed(WindowTree tree, int answer, int leaf) {
    int n = tree.batches();
    return leaf <= answer && (answer <= n || leaf > n && leaf > answer - n);
  }

  private static double[][] inverse(WindowRows rows, int leaves) {
    double[][] inverse = new double[leaves][leaves];
    for (int t = 0; t < leaves; t++) {
      double[] row = rows.row(t + 1); // of changes of answers: sums of what belongs to answers
      for (int s = 0; s <= t; s++) {
        inverse[t][s] = row[s] - (s < t ? row[s + 1] : 0);
      }
    }
    return inverse;
  }

  @ParameterizedTest
  @CsvSource({"1, 3", "2, 2", "3, 3", "5, 2", "8, 3"})
  void movesWhatItsRowsMakeOfTheLeavesOfAnswers(int batches, long passes) {
    WindowTree tree = new WindowTree(batches, passes, 0.25);
    WindowRows rows = new WindowRows(tree);
    int leaves = (int) tree.leaves();
    double[][] inverse = inverse(rows, leaves);
    for (int t = 1; t <= leaves; t++) {
      for (int leaf = 1; leaf <= leaves; leaf++) {
        double moved = 0;
        for (int s = 1; s <= t; s++) {
          moved += isSummed(tree, s, leaf) ? inverse[t - 1][s - 1] : 0;
        }
        assertThat(rows.moved(t, leaf)).isCloseTo(moved, within(1e-12));
      }
    }
  }

  /** Answers as L z: the variance of each is that of the fewest nodes that cover its window. */
  @ParameterizedTest
  @CsvSource({"1, 3", "3, 3", "5, 3", "8, 3"})
  void hasTheNoiseOfTheFewestNodes(int batches, long passes) {
    WindowTree tree = new WindowTree(batches, passes, 0.25);
    int leaves = (int) tree.leaves();
    double[][] inverse = inverse(new WindowRows(tree), leaves);
    double[][] root = new double[leaves][leaves];
    for (int t = 0; t < leaves; t++) {
      for (int s = 0; s <= t; s++) {
        double left = s == t ? 1 : 0;
        for (int i = s; i < t; i++) {
          left -= inverse[t][i] * root[i][s];
        }
        root[t][s] = left / inverse[t][t];
      }
      double variance = 0;
      for (double each : root[t]) {
        variance += each * each;
      }
      boolean first = t < batches;
      int last = first ? t + 1 : t + 1 - batches;
      int nodes = fewest(Math.max(1, last - batches + 1), last);
      double noise = tree.nodeNoise(first);
      assertThat(variance).isCloseTo(nodes * noise * noise, within(1e-9 * variance));
    }
  }

  /** Nodes of leaves whose length is a power of two, behind a multiple of it. */
  private static int fewest(int from, int last) {
    if (from > last) {
      return 0;
    }
    int best = Integer.MAX_VALUE;
    for (int length = 1; (from - 1) % length == 0 && from + length - 1 <= last; length *= 2) {
      best = Math.min(best, 1 + fewest(from + length, last));
    }
    return best;
  }

  /** b and 1 - b, and hardly less: a batch is in k + 1 nodes, once in the first tree. */
  @Test
  void costsOneParticipation() {
    for (long batches : new long[] {1, 5, 8, 1 << 16}) {
      for (long passes : new long[] {2, 9, 1L << 32}) {
        for (double first : new double[] {0.1, 0.5, 0.9}) {
          WindowTree tree = new WindowTree(batches, passes, first);
          double nodes = 64 - Long.numberOfLeadingZeros(batches);
          double once = nodes / Math.pow(tree.nodeNoise(true), 2);
          double later = nodes * (passes - 1) / Math.pow(tree.nodeNoise(false), 2);
          assertThat(once).isCloseTo(first, within(1e-11));
          assertThat(once + later).isBetween(1 - 1e-11, 1.0);
        }
      }
    }
  }

  @Test
  void isOfTheQueriesOfABlock() {
    WindowTree tree = new WindowTree(8, 4, 0.25);
    assertThat(tree.leastNoise()).isEqualTo(Math.min(tree.nodeNoise(true), tree.nodeNoise(false)));
    assertThat(tree.largestNoise())
        .isCloseTo(
            Math.sqrt(2 * 4) * tree.nodeNoise(tree.nodeNoise(true) > tree.nodeNoise(false)),
            within(1e-12));
    assertThat(tree.queries()).isEqualTo(32);
    assertThat(tree.passes()).isEqualTo(4);
    assertThat(tree.stateBytes(3, 99)).isEqualTo(2 * 6 * 8 * 3);
    assertThat(tree.memory()).contains(ColumnDecay.NONE);
    assertThat(tree.describe(null).parts()).isNotEmpty();
    assertThat(tree.answerRows()).isInstanceOf(WindowRows.class);
    assertThat(tree.audits()).isTrue();
    assertThat(new WindowTree(512, 2, 0.5).audits()).isTrue();
    assertThat(new WindowTree(513, 2, 0.5).audits()).isFalse();
    QuerySchedule passes = new QuerySchedule(List.of(new QuerySchedule.Segment(0, 16, 8, 1, 4, 1)));
    assertThat(tree.fits(Optional.of(passes))).isTrue();
    assertThat(tree.fits(Optional.of(QuerySchedule.onePass(8, 2)))).isFalse();
    assertThat(tree.fits(Optional.empty())).isFalse();
  }

  @Test
  void isReadFromItsLineAgain() {
    WindowTree tree = new WindowTree(8, 4, 0.25);
    assertThat(tree.parameters()).isEqualTo("8*4 first=0x1.0p-2");
    Mechanism read = Mechanisms.of(tree.name(), tree.parameters());
    assertThat(read.parameters()).isEqualTo(tree.parameters());
    for (String line : List.of(
        "",
        "8 first=0x1.0p-2",
        "8*4 first=0.25",
        "08*4 first=0x1.0p-2",
        "0*4 first=0x1.0p-2",
        "65537*4 first=0x1.0p-2",
        "8*1 first=0x1.0p-2",
        "8*4294967297 first=0x1.0p-2",
        "8*4 first=0x0.0p0",
        "8*4 first=0x1.0p0")) {
      assertThatIllegalArgumentException().isThrownBy(() -> Mechanisms.of(WindowTree.NAME, line));
    }
  }
}
