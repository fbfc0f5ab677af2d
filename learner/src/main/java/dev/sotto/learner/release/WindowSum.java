package dev.sotto.learner.release;

import dev.sotto.learner.key.KeyedNoise;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.mechanism.PagedBytes;
import dev.sotto.learner.mechanism.WindowTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Sums of the last n leaves from the noisy nodes of a {@link WindowTree}: in its first pass of all
 * so far, in the later ones of as many of these as there are, up to n. Sums are exact and nothing
 * is scaled: nodes are sums of lattice points, and each gets noise of its own once, as it is
 * complete.
 *
 * <p>Stored are the open nodes by level, and the noisy ones that windows may read still, by level
 * and age.
 */
final class WindowSum extends TreeSum {
  private static final String PURPOSE = "window-node-"; // and the level

  private final WindowTree tree;
  private final double sigmaInUnits;
  private final int window;
  private final double[][] open; // by level: exact
  private final double[][][] noisy; // by level, then by number modulo how many a window may read
  private final long[][] ends; // of these: their last leaf; 0 where there is none

  /**
   * Empty trees.
   *
   * @throws IllegalArgumentException where a window's sum could leave the range in which it is
   *     exact
   */
  WindowSum(Lattice lattice, double sigma, WindowTree tree) {
    super(lattice, sigma, tree.leaves());
    double units = (double) lattice.batch() * tree.batches() * lattice.clip() / lattice.unit();
    if (!(units < 0x1p53)) {
      throw new IllegalArgumentException(
          "batches * batch * clip must be below 2^53 lattice units to add exactly, but was "
              + tree.batches() + " * " + lattice.batch() + " * " + lattice.clip() + " = " + units
              + " units of " + lattice.unit() + "; choose smaller blocks or a larger noise");
    }
    this.tree = tree;
    this.sigmaInUnits = sigma / unit;
    this.window = tree.batches();
    int levels = tree.topLevel() + 1;
    this.open = new double[levels][lattice.dimension()];
    this.noisy = new double[levels][][];
    this.ends = new long[levels][];
    for (int level = 0; level < levels; level++) {
      int most = (window >> level) + 1;
      noisy[level] = new double[most][];
      ends[level] = new long[most];
    }
  }

  /** Trees as they were stored. */
  WindowSum(Lattice lattice, double sigma, WindowTree tree, PagedBytes state) {
    this(lattice, sigma, tree);
    resume(state);
  }

  private boolean inFirst() {
    return leaves <= window;
  }

  /** Leaves of the tree of the last leaf. */
  private long within() {
    return inFirst() ? leaves : leaves - window;
  }

  /** The first leaf of the window that ends with the last leaf. */
  private long from() {
    return Math.max(1, within() - window + 1);
  }

  @Override
  List<double[]> rows(boolean anew) {
    List<double[]> rows = new ArrayList<>();
    long last = within();
    for (int level = 0; level < open.length; level++) {
      if ((last & (1L << level) - 1) != 0) {
        rows.add(open[level]);
      }
    }
    for (int level = 0; level < open.length; level++) {
      long length = 1L << level;
      long inside = (from() - 1 + length - 1) / length; // nodes before the first that is inside
      for (long end = (inside + 1) * length; end <= last; end += length) {
        int place = place(level, end);
        if (anew) {
          noisy[level][place] = new double[node.length];
          ends[level][place] = end;
        }
        rows.add(noisy[level][place]);
      }
    }
    return rows;
  }

  private int place(int level, long end) {
    return (int) ((end >>> level) % ends[level].length);
  }

  @Override
  void add(double[] sum, byte[] digest, NoiseKey key) {
    if (leaves == window) {
      clear();
    }
    leaves++;
    double perUnit = 1 / unit; // a power of two: exact
    for (int level = 0; level < open.length; level++) {
      double[] into = open[level];
      for (int i = 0; i < into.length; i++) {
        into[i] += sum[i] * perUnit;
      }
      if ((within() & (1L << level) - 1) == 0) {
        close(level, digest, key);
      }
    }
  }

  private void close(int level, byte[] digest, NoiseKey key) {
    double[] exact = open[level];
    for (int i = 0; i < exact.length; i++) {
      node[i] = (long) exact[i];
    }
    Arrays.fill(exact, 0);
    new KeyedNoise(key, sigmaInUnits * tree.nodeNoise(inFirst()))
        .add(digest, PURPOSE + level, leaves, 1, node);
    int place = place(level, within());
    if (noisy[level][place] == null) {
      noisy[level][place] = new double[node.length];
    }
    for (int i = 0; i < node.length; i++) {
      noisy[level][place][i] = node[i];
    }
    ends[level][place] = within();
  }

  @Override
  void value(double[] into) {
    Arrays.fill(into, 0);
    long last = within();
    for (long at = from(); at <= last; ) {
      int fits = 63 - Long.numberOfLeadingZeros(last - at + 1);
      int level = Math.min(
          tree.topLevel(), Math.min(fits, at == 1 ? fits : Long.numberOfTrailingZeros(at - 1)));
      long end = at + (1L << level) - 1;
      int place = place(level, end);
      if (ends[level][place] != end) {
        throw new IllegalStateException(
            "the node of level " + level + " that ends at leaf " + end + " is missing");
      }
      double[] read = noisy[level][place];
      for (int i = 0; i < into.length; i++) {
        into[i] += unit * read[i];
      }
      at = end + 1;
    }
  }

  /** Loses a node, for tests. */
  void forget(int level) {
    Arrays.fill(ends[level], 0);
  }

  private void clear() {
    for (int level = 0; level < open.length; level++) {
      Arrays.fill(open[level], 0);
      Arrays.fill(ends[level], 0);
    }
  }

  @Override
  void restart() {
    leaves = 0;
    clear();
  }
}
