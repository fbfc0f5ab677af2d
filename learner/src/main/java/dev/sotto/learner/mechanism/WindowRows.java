package dev.sotto.learner.mechanism;

import java.util.HashMap;
import java.util.Map;

/**
 * The answers of a block with windows (docs/momentum.md, "Windows"), written out from their
 * definition: in the first pass the sum of all leaves so far, later that of the last n, as far as
 * they are of later passes. Each is covered by the fewest nodes of at most n leaves, from the left,
 * and nodes have noise of their own.
 *
 * <p>With {@code r = A g + N z}, A and N being these two matrices, and {@code N N' = L L'}, the
 * answers times {@code L^-1} have white noise: {@code L^-1 r = L^-1 A g + z'}. Some nodes are never
 * read alone, so what a leaf moves there is no more than what it moves in all nodes.
 */
final class WindowRows implements AnswerRows {
  /** Queries of a block that are written out. */
  static final int MOST_QUERIES = 1024;

  private final double[][] onSteps; // L^-1, applied to the changes of answers
  private final double[][] moved; // L^-1 A

  WindowRows(WindowTree tree) {
    int leaves = (int) tree.leaves();
    double[][] sums = new double[leaves][leaves];
    double[][] covariance = new double[leaves][leaves];
    double[][] nodes = new double[leaves][];
    Map<Long, Integer> numbers = new HashMap<>();
    for (int t = 1; t <= leaves; t++) {
      nodes[t - 1] = cover(tree, t, sums[t - 1], numbers);
    }
    for (int t = 0; t < leaves; t++) {
      for (int s = 0; s <= t; s++) {
        for (int i = 0; i < Math.min(nodes[t].length, nodes[s].length); i++) {
          covariance[t][s] += nodes[t][i] * nodes[s][i];
        }
      }
    }
    double[][] inverse = inverseOfRoot(covariance);
    this.moved = new double[leaves][leaves];
    this.onSteps = new double[leaves][];
    for (int t = 0; t < leaves; t++) {
      for (int s = 0; s <= t; s++) {
        for (int i = 0; i <= s; i++) {
          moved[t][i] += inverse[t][s] * sums[s][i];
        }
      }
      onSteps[t] = new double[t + 1];
      double behind = 0;
      for (int s = t; s >= 0; s--) {
        behind += inverse[t][s];
        onSteps[t][s] = behind;
      }
    }
  }

  /** The noise of the nodes that cover the window of answer t; ones where it holds leaves. */
  private static double[] cover(
      WindowTree tree, int t, double[] leaves, Map<Long, Integer> numbers) {
    int n = tree.batches();
    boolean first = t <= n;
    int before = first ? 0 : n; // leaves of the first tree
    int last = t - before;
    int from = Math.max(1, last - n + 1);
    double[] row = new double[2 * (int) tree.leaves() + 2];
    int at = from;
    while (at <= last) {
      int length = 1;
      while (2 * length <= n && (at - 1) % (2 * length) == 0 && at + 2 * length - 1 <= last) {
        length *= 2;
      }
      long name = ((long) before + at) * 4L * n + length;
      Integer next = numbers.size();
      int number = numbers.computeIfAbsent(name, none -> next);
      row[number] = tree.nodeNoise(first);
      for (int leaf = at; leaf < at + length; leaf++) {
        leaves[before + leaf - 1] = 1;
      }
      at += length;
    }
    return row;
  }

  /** L^-1 of L L', by Cholesky and forward substitution; the lower half is read. */
  private static double[][] inverseOfRoot(double[][] covariance) {
    int size = covariance.length;
    double[][] root = new double[size][size];
    double[][] inverse = new double[size][size];
    for (int t = 0; t < size; t++) {
      for (int s = 0; s <= t; s++) {
        double left = covariance[t][s];
        for (int i = 0; i < s; i++) {
          left -= root[t][i] * root[s][i];
        }
        root[t][s] = s == t ? Math.sqrt(left) : left / root[s][s];
      }
      for (int s = 0; s <= t; s++) {
        double sum = s == t ? 1 : 0;
        for (int i = s; i < t; i++) {
          sum -= root[t][i] * inverse[i][s];
        }
        inverse[t][s] = sum / root[t][t];
      }
    }
    return inverse;
  }

  /** The row of an answer, from 1, over the changes of answers since the block began. */
  @Override
  public double[] row(int answer) {
    return onSteps[answer - 1];
  }

  /** How far the leaf of a query moves the white row of an answer, both from 1. */
  @Override
  public double moved(int answer, int query) {
    return moved[answer - 1][query - 1];
  }
}
