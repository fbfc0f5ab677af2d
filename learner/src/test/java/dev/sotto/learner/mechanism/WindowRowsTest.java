package dev.sotto.learner.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

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
}
