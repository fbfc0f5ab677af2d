package dev.sotto.learner.release;

import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.mechanism.PagedBytes;

/**
 * Sums over the nodes of a tree whose leaves are exact sums of one query each: every node that is
 * read gets noise of its own once, as it is complete. What it gives out is made of noisy nodes
 * only. Not safe for use by several threads.
 */
abstract class TreeSum {
  /**
   * Takes the next leaf; node noise follows from the digest, which covers this leaf, and from the
   * node's address.
   *
   * @param sum exact, on the lattice; not kept, not changed
   * @param digest the running digest after this leaf
   */
  abstract void take(double[] sum, byte[] digest, NoiseKey key);

  /** Leaves taken since the tree began. */
  abstract long leaves();

  /** Writes what is released after the last leaf: the noisy sum, in units of one gradient. */
  abstract void value(double[] into);

  /** The next leaf is the first of another tree. */
  abstract void restart();

  /** What a restart of the process needs: it holds exact sums, so it is stored sealed only. */
  abstract PagedBytes state(int pageBytes);
}
