package dev.sotto.learner.mechanism;

import dev.sotto.learner.key.KeyedNoise;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The estimates of the blocks of the present prefix's binary decomposition, in lattice units. Their
 * sum is rounded to whole units only as it is given out, so that the prefix's noise is exactly its
 * rounding.
 *
 * <p>State: version, number of blocks, then the estimates, the largest block first, as big-endian
 * doubles.
 */
final class HonakerNoiseState extends NoiseState {
  private static final String PURPOSE = "dyadic-node-"; // and the level
  private static final byte VERSION = 1;
  private static final int HEAD = 2;
  private static final int STRETCH = 1024; // coordinates that stay near the processor

  private final List<double[]> living = new ArrayList<>(); // one for each binary digit of the round
  private long[] given = {}; // the rounded sum of the living
  private double[] spare;

  HonakerNoiseState() {}

  HonakerNoiseState(PagedBytes state) {
    byte[] head = DoubleRows.head(state, HEAD);
    int blocks = head.length < HEAD ? -1 : head[1];
    long rest = state.length() - HEAD;
    boolean whole = blocks == 0 ? rest == 0 : blocks > 0 && rest > 0 && rest % (8L * blocks) == 0;
    if (!whole || head[0] != VERSION || blocks > 63) {
      throw new IllegalArgumentException("the state of a tree of estimates takes 2 bytes, "
          + VERSION + " and the number of its blocks, and 8 for each coordinate of each, but had "
          + state.length() + ": " + Arrays.toString(head));
    }
    for (int i = 0; i < blocks; i++) {
      living.add(new double[Math.toIntExact(rest / 8 / blocks)]);
    }
    DoubleRows.read(state, HEAD, living);
    if (blocks > 0) {
      given = new long[living.get(0).length];
      give(new long[given.length]);
    }
  }

  @Override
  public void advance(long round, byte[] digest, KeyedNoise noise, long[] into) {
    int dimension = into.length;
    if (living.size() != Long.bitCount(round - 1)
        || !living.isEmpty() && given.length != dimension) {
      throw new IllegalArgumentException("round " + round + " of " + dimension
          + " coordinates cannot follow " + living.size() + " blocks of " + given.length);
    }
    if (given.length != dimension) {
      given = new long[dimension];
    }
    double[] newest = spare == null ? new double[dimension] : spare;
    spare = null;
    noise.draw(
        digest,
        PURPOSE + 0,
        round,
        dimension,
        (from, z, length) -> System.arraycopy(z, 0, newest, from, length));
    double[] right = newest;
    for (int level = 1; level <= Long.numberOfTrailingZeros(round); level++) {
      double[] left = living.remove(living.size() - 1);
      combine(level, round >>> level, left, right, digest, noise);
      spare = right;
      right = left;
    }
    living.add(right);
    give(into);
  }

  /** The estimate of a block that is complete, in place of that of its left half. */
  private static void combine(
      int level, long node, double[] left, double[] right, byte[] digest, KeyedNoise noise) {
    double own = HonakerTree.variance(level);
    double halves = 1 - own;
    noise.draw(digest, PURPOSE + level, node, left.length, (from, z, length) -> {
      for (int i = 0; i < length; i++) {
        left[from + i] = own * z[i] + halves * (left[from + i] + right[from + i]);
      }
    });
  }

  /** Adds the change of the rounded sum. */
  private void give(long[] into) {
    double[] sums = new double[Math.min(STRETCH, into.length)];
    for (int from = 0; from < into.length; from += STRETCH) {
      int length = Math.min(STRETCH, into.length - from);
      Arrays.fill(sums, 0);
      for (double[] estimate : living) {
        for (int i = 0; i < length; i++) {
          sums[i] += estimate[from + i];
        }
      }
      for (int i = 0; i < length; i++) {
        long now = (long) Math.rint(sums[i]); // of at most 63 estimates of 2^38 units
        into[from + i] += now - given[from + i];
        given[from + i] = now;
      }
    }
  }

  @Override
  public PagedBytes state(int pageBytes) {
    return new DoubleRows(new byte[] {VERSION, (byte) living.size()}, living, pageBytes);
  }
}
