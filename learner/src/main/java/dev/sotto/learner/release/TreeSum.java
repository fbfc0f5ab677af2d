package dev.sotto.learner.release;

import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.mechanism.DoubleRows;
import dev.sotto.learner.mechanism.PagedBytes;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Sums over the nodes of a tree whose leaves are exact sums of one query each: every node that is
 * read gets noise of its own once, as it is complete. What it gives out is made of noisy nodes
 * only. Not safe for use by several threads.
 *
 * <p>State: version, leaves (a long), then the nodes, in lattice units.
 */
abstract class TreeSum {
  private static final byte VERSION = 1;
  private static final int HEAD = 1 + Long.BYTES;

  final double unit;
  final long[] node; // that is complete: exact, and then noisy
  long leaves; // taken since the tree began
  private final long most;

  /**
   * An empty tree.
   *
   * @param sigma one participation costs s / sigma
   * @param most leaves
   */
  TreeSum(Lattice lattice, double sigma, long most) {
    if (!(sigma >= 0) || sigma == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("sigma must be finite and not negative, but was " + sigma);
    }
    this.unit = lattice.unit();
    this.node = new long[lattice.dimension()];
    this.most = most;
  }

  /** Goes on with a tree as it was stored. */
  final void resume(PagedBytes state) {
    byte[] head = DoubleRows.head(state, HEAD);
    long taken = head.length < HEAD ? -1 : ByteBuffer.wrap(head, 1, Long.BYTES).getLong();
    if (taken < 0 || taken > most || head[0] != VERSION) {
      throw broken(state);
    }
    leaves = taken;
    List<double[]> rows = rows(true);
    if (state.length() != HEAD + (long) Double.BYTES * node.length * rows.size()) {
      throw broken(state);
    }
    DoubleRows.read(state, HEAD, rows);
  }

  private static IllegalArgumentException broken(PagedBytes state) {
    return new IllegalArgumentException("the state of a tree takes " + VERSION
        + ", its leaves and 8 bytes for each coordinate of each of its nodes, but had "
        + state.length() + " bytes");
  }

  /** The nodes that are stored, in their order; made anew where they are to be filled. */
  abstract List<double[]> rows(boolean anew);

  /**
   * Takes the next leaf; node noise follows from the digest, which covers this leaf, and from the
   * node's address.
   *
   * @param sum exact, on the lattice; not kept, not changed
   * @param digest the running digest after this leaf
   */
  final void take(double[] sum, byte[] digest, NoiseKey key) {
    if (sum.length != node.length) {
      throw new IllegalArgumentException(
          "a leaf must have " + node.length + " coordinates, but had " + sum.length);
    }
    if (leaves == most) {
      throw new IllegalStateException("a tree of " + leaves
          + " leaves is full: more would cost more than its noise is made for");
    }
    add(sum, digest, key);
  }

  /** {@link #take} of a leaf that fits. */
  abstract void add(double[] sum, byte[] digest, NoiseKey key);

  /** Writes what is released after the last leaf: the noisy sum, in units of one gradient. */
  abstract void value(double[] into);

  /** The next leaf is the first of another tree. */
  abstract void restart();

  /** What a restart of the process needs: it holds exact sums, so it is stored sealed only. */
  final PagedBytes state(int pageBytes) {
    byte[] head = ByteBuffer.allocate(HEAD).put(VERSION).putLong(leaves).array();
    return new DoubleRows(head, rows(false), pageBytes);
  }
}
