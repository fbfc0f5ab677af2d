package dev.sotto.evaluation.audit.noise;

import dev.sotto.learner.mechanism.MomentumTree;
import java.util.Arrays;

/**
 * A tree of decayed sums: one node ends with each release, and is the release less the decayed
 * release before the node's first leaf. Nodes of the top level have nothing before them.
 */
record NodeRows(MomentumTree tree) {
  /** The node that ends at a leaf, from 1, over its noise. */
  double[] row(int leaf) {
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
  long longest() {
    return 1L << tree.topLevel();
  }

  /**
   * What a leaf at a distance before the end of a node moves in it: nothing where it is before it.
   */
  double moved(int end, int earlier) {
    return length(end) > earlier ? tree.factor(earlier) / tree.nodeNoise() : 0;
  }
}
