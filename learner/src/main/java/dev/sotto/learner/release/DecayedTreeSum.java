package dev.sotto.learner.release;

import dev.sotto.learner.key.KeyedNoise;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.mechanism.MomentumTree;
import dev.sotto.learner.mechanism.PagedBytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The sum {@code sum over leaves t of beta^(now - t) v_t} from the noisy nodes of a {@link
 * MomentumTree}.
 *
 * <p>Nothing leaves the lattice before its noise is added (docs/momentum.md, "Decayed sums on the
 * lattice"): leaf t enters a node that ends at z as beta^(z - t) v_t, each coordinate cut towards
 * zero to whole units, once for each leaf and node. A node that is complete gets its noise, and
 * only the noisy value is kept. What is given out weighs noisy values: post-processing.
 *
 * <p>Stored are the open nodes and the live noisy ones, both by level.
 */
final class DecayedTreeSum extends TreeSum {
  private static final String PURPOSE = "momentum-node";
  private static final double NOTHING = 0x1p-53; // times less than 2^53 units: cut to zero

  private final MomentumTree tree;
  private final double sigmaInUnits;
  private final double[][] open; // by level: exact; null before the first leaf of its first node
  private final double[][] noisy; // by level: the last one that was complete
  private final long[] ends; // of these: their last leaf; 0 where there is none

  /**
   * An empty tree.
   *
   * @param sigma one participation costs s / sigma
   * @throws IllegalArgumentException where sums of decayed leaves could leave the range in which
   *     they are exact, or the lattice is coarser than the mechanism allows for
   */
  DecayedTreeSum(Lattice lattice, double sigma, MomentumTree tree) {
    super(lattice, sigma, tree.leaves());
    double units = lattice.batch() * lattice.clip() / (1 - tree.beta()) / lattice.unit();
    if (!(units * (1 + 0x1p-40) < 0x1p53)) { // products of doubles are rounded
      throw new IllegalArgumentException(
          "batch * clip / alpha must be below 2^53 lattice units to add exactly, but was "
              + lattice.batch() + " * " + lattice.clip() + " / " + (1 - tree.beta()) + " = " + units
              + " units of " + lattice.unit() + "; choose a smaller batch or a larger noise");
    }
    double rounding = 2 * Math.sqrt(lattice.dimension()) * lattice.unit() / lattice.clip();
    if (!(rounding <= tree.rounding())) {
      throw new IllegalArgumentException("the rounding of a leaf must be at most " + tree.rounding()
          + " of the clip, as the noise is made for, but was " + rounding);
    }
    this.tree = tree;
    this.sigmaInUnits = sigma * tree.nodeNoise() / unit;
    this.open = new double[tree.topLevel() + 1][];
    this.noisy = new double[tree.topLevel() + 1][];
    this.ends = new long[tree.topLevel() + 1];
  }

  /** A tree as it was stored. */
  DecayedTreeSum(Lattice lattice, double sigma, MomentumTree tree, PagedBytes state) {
    this(lattice, sigma, tree);
    resume(state);
  }

  /** Whether a node has leaves, lacks others, and will be read. */
  private boolean isOpen(int level) {
    return (leaves & (1L << level) - 1) != 0 && tree.isRead(level, leaves + 1);
  }

  /** Where the last node of a level that is read ended; 0 where there is none. */
  private long end(int level) {
    boolean read = level == tree.topLevel() || (leaves >>> level & 1) == 1;
    return read ? leaves >>> level << level : 0;
  }

  private boolean isLive(int level) {
    long end = end(level);
    return end > 0 && !tree.isFaint(leaves - end);
  }

  @Override
  void add(double[] sum, byte[] digest, NoiseKey key) {
    long leaf = leaves + 1;
    for (int level = 0; level < open.length; level++) {
      if (tree.isRead(level, leaf)) {
        enter(level, leaf, sum);
      }
    }
    leaves = leaf;
    close(tree.levelEndingAt(leaf), digest, key);
  }

  private void enter(int level, long leaf, double[] sum) {
    if (open[level] == null) {
      open[level] = new double[node.length];
    }
    long end = (leaf - 1 >>> level) + 1 << level;
    double factor = tree.factor(end - leaf);
    if (factor < NOTHING) {
      return;
    }
    double[] into = open[level];
    double perUnit = 1 / unit; // a power of two: exact
    for (int i = 0; i < into.length; i++) {
      into[i] += (long) (factor * (sum[i] * perUnit)); // a cast cuts towards zero
    }
  }

  /** Adds the noise of the one node that ends at the last leaf. */
  private void close(int level, byte[] digest, NoiseKey key) {
    double[] exact = open[level];
    for (int i = 0; i < exact.length; i++) {
      node[i] = (long) exact[i];
    }
    Arrays.fill(exact, 0);
    new KeyedNoise(key, sigmaInUnits).add(digest, PURPOSE, leaves, 1, node);
    if (noisy[level] == null) {
      noisy[level] = new double[node.length];
    }
    for (int i = 0; i < node.length; i++) {
      noisy[level][i] = node[i];
    }
    ends[level] = leaves;
  }

  @Override
  void value(double[] into) {
    Arrays.fill(into, 0);
    for (int level = noisy.length - 1; level >= 0; level--) {
      if (!isLive(level)) {
        continue;
      }
      double[] read = noisy[level];
      if (ends[level] != end(level)) {
        throw new IllegalStateException(
            "the node of level " + level + " that ends at leaf " + end(level) + " is missing");
      }
      double weight = tree.factor(leaves - end(level)) * unit;
      for (int i = 0; i < into.length; i++) {
        into[i] += weight * read[i];
      }
    }
  }

  /** Loses a node, for tests. */
  void forget(int level) {
    ends[level] = 0;
  }

  @Override
  void restart() {
    leaves = 0;
    for (double[] each : open) {
      if (each != null) {
        Arrays.fill(each, 0);
      }
    }
    Arrays.fill(ends, 0);
  }

  @Override
  List<double[]> rows(boolean anew) {
    List<double[]> rows = new ArrayList<>();
    for (int level = 0; level < open.length; level++) {
      if (isOpen(level)) {
        open[level] = anew ? new double[node.length] : open[level];
        rows.add(open[level]);
      }
    }
    for (int level = 0; level < noisy.length; level++) {
      if (isLive(level)) {
        if (anew) {
          noisy[level] = new double[node.length];
          ends[level] = end(level);
        }
        rows.add(noisy[level]);
      }
    }
    return rows;
  }
}
