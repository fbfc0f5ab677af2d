package dev.sotto.learner.mechanism;

import java.util.Arrays;

/**
 * A tree of decayed sums: one node ends with each release, and is the release less the decayed
 * release before the node's first leaf. Nodes of the top level have nothing before them.
 */
record NodeRows(MomentumTree tree) implements AnswerRows {
  /** The node that ends at a leaf, from 1, over its noise. */
  @Override
  public double[] row(int leaf) {
    int length = length(leaf);
    double before = tree.levelEndingAt(leaf) == tree.topLevel() ? 0 : tree.factor(length);
    double[] row = new double[leaf];
    Arrays.fill(row, 0, leaf - length, (1 - before) / tree.nodeNoise());
    Arrays.fill(row, leaf - length, leaf, 1 / tree.nodeNoise());
    return row;
  }

  /** Leaves of the one node that ends at a leaf. */
  private int length(long leaf) {
    return 1 << tree.levelEndingAt(leaf);
  }

  /** Leaves of the longest nodes. */
  @Override
  public long reach() {
    return 1L << tree.topLevel();
  }

  /** Nothing in a node that begins behind it; elsewhere it has decayed since. */
  @Override
  public double moved(int end, int leaf) {
    int lag = end - leaf;
    return length(end) > lag ? tree.factor(lag) / tree.nodeNoise() : 0;
  }
}
