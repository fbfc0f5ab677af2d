package dev.sotto.evaluation.audit.noise;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The binary tree of all dyadic blocks with Honaker's estimates from the leaves up
 * (docs/privacy.md, "Noise mechanisms"). A block's estimate is v_h of its own noise and 1 - v_h of
 * its halves' estimates, v_h = 1 / (2 - 2^-h).
 *
 * <p>There are more nodes than prefixes, and only prefixes are released. So C is taken from the
 * covariance of their noise, L L^T by Cholesky: the prefixes are as good as {@code L^-1 A g + w}
 * with white w. What a participation moves there is less than what it moves in all nodes, for which
 * the ledger pays.
 */
final class HonakerMatrix implements ReferenceMatrix {
  private final List<double[]> nodes =
      new ArrayList<>(); // of each prefix: its weights of all nodes
  private final List<double[]> lower = new ArrayList<>(); // rows of L

  /** Row {@code round} of L. */
  private synchronized double[] row(int round) {
    while (lower.size() < round) {
      int t = lower.size();
      nodes.add(weights(t + 1));
      double[] fresh = new double[t + 1];
      for (int s = 0; s <= t; s++) {
        double left = dot(nodes.get(t), nodes.get(s));
        double[] other = s < t ? lower.get(s) : fresh;
        for (int r = 0; r < s; r++) {
          left -= fresh[r] * other[r];
        }
        fresh[s] = s < t ? left / other[s] : Math.sqrt(left);
      }
      lower.add(fresh);
    }
    return lower.get(round - 1);
  }

  /**
   * The weights of the nodes in the noise of a prefix; the node of 2^h rounds up to e is number
   * 2 e - bits(e) - h - 1.
   */
  private static double[] weights(int rounds) {
    double[] weights = new double[2 * rounds - Integer.bitCount(rounds)];
    for (int end = rounds; end > 0; end -= Integer.lowestOneBit(end)) {
      estimate(end, Integer.numberOfTrailingZeros(end), 1, weights);
    }
    return weights;
  }

  private static void estimate(int end, int level, double share, double[] weights) {
    double own = 1 / (2 - StrictMath.scalb(1.0, -level));
    // Before round e there are 2 (e - 1) - bits(e - 1) nodes, in it one more than e has zeros.
    weights[2 * (end - 1) - Integer.bitCount(end - 1) + level] += own * share;
    if (level > 0) {
      estimate(end, level - 1, (1 - own) * share, weights);
      estimate(end - (1 << level - 1), level - 1, (1 - own) * share, weights);
    }
  }

  private static double dot(double[] longer, double[] shorter) {
    double sum = 0;
    for (int i = 0; i < shorter.length; i++) {
      sum += longer[i] * shorter[i];
    }
    return sum;
  }

  @Override
  public Whitener whitener(int dimension) {
    return new Whitener() {
      private final List<double[]> before = new ArrayList<>();

      @Override
      public void white(double[] prefix, double[] into) {
        double[] row = row(before.size() + 1);
        System.arraycopy(prefix, 0, into, 0, dimension);
        addMultiples(row, before, -1, into);
        for (int i = 0; i < dimension; i++) {
          into[i] /= row[before.size()];
        }
      }

      @Override
      public void advance(double[] prefix) {
        double[] white = new double[dimension];
        white(prefix, white);
        before.add(white);
      }
    };
  }

  @Override
  public Colourer colourer(int dimension) {
    return new Colourer() {
      private final List<double[]> before = new ArrayList<>();

      @Override
      public void colour(double[] white, double[] into) {
        double[] row = row(before.size() + 1);
        Arrays.fill(into, 0);
        addMultiples(row, before, 1, into);
        for (int i = 0; i < dimension; i++) {
          into[i] += row[before.size()] * white[i];
        }
      }

      @Override
      public void advance(double[] white) {
        before.add(white.clone());
      }
    };
  }

  private static void addMultiples(
      double[] factors, List<double[]> vectors, int sign, double[] into) {
    for (int s = 0; s < vectors.size(); s++) {
      double[] vector = vectors.get(s);
      for (int i = 0; i < into.length; i++) {
        into[i] += sign * factors[s] * vector[i];
      }
    }
  }
}
