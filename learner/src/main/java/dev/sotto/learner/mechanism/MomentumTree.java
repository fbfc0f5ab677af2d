package dev.sotto.learner.mechanism;

import dev.sotto.learner.participation.ColumnDecay;
import dev.sotto.learner.participation.ContributionBound;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Noise on the nodes of a dyadic tree over sums that decay: leaf t weighs {@code beta^(z - t)} in a
 * node that ends at leaf z. Only the nodes that a prefix reads exist: left halves, and the longest
 * ones, whose length is capped where {@code beta^length < 2^-60}. Exactly one of them ends at each
 * leaf. Tran, Cutkosky, "Momentum Aggregation for Private Non-convex ERM", Algorithm 1, with the
 * calibration of docs/momentum.md, "What it costs".
 *
 * <p>One participation moves all nodes together, in l2, by at most {@code sqrt(V) s}:
 *
 * <table>
 * <caption>V, where e is the rounding charge</caption>
 * <tr><th>form<th>leaves<th>V
 * <tr><td>endless<td>rounds, any number, one pass
 * <td>sum over levels b = 0..K of (beta^(2^b - 1) + e)^2
 * <tr><td>block<td>queries of a block, in several passes over the same batches
 * <td>exactly: the largest, over batches, of the sum over nodes of (sum over the batch's leaves in
 * the node of (beta^(z - t) + e))^2
 * </table>
 *
 * <p>The endless V: let u = t - 1. Leaf t lies in a used node of level b below K exactly where bit b
 * of u is 0, and always in one of level K. That node ends {@code sum of 2^i over the zero bits i < b
 * of u} leaves after t. So the j-th used level, in ascending order, has a lag of at least 2^0 + ... +
 * 2^(j-2) = 2^(j-1) - 1, and there are at most K + 1.
 *
 * <p>The charge e covers the rounding of decayed leaves to whole lattice units: with products of
 * doubles, cut towards zero, a coordinate's change grows by at most one unit for the cut and one for
 * the product, so a leaf's change in a node by {@code 2 sqrt(d) unit} at most, which is at most
 * {@code e clip}, and so {@code e s}.
 */
public final class MomentumTree extends OwnMechanism {
  /** The name in ledgers. */
  public static final String NAME = "momentum-tree";

  /** Nodes that weigh less than this in the sum are left out of it. */
  private static final double FAINT = 0x1p-60;

  private static final int LARGEST_LEVEL = 30;
  private static final long MOST_LEAVES = 1 << 22;
  private static final double MOST_ROUNDING = 0x1p-5;
  private static final double COARSEST = 0x1p-9; // the rounding of the coarsest lattice
  // Upwards by far more than powers, sums and roots can lose.
  private static final double UP = 1 + 0x1p-40;

  private static final Pattern LINE =
      Pattern.compile("(?:endless|block (\\d{1,18})\\*(\\d{1,18})) beta=(\\S+) rounding=(\\S+)");

  private final long batches; // of a pass; 0 in the endless form
  private final long passes;
  private final double beta;
  private final double rounding;
  private final int top;
  private final double energy; // V
  private final double nodeNoise;

  private MomentumTree(long batches, long passes, double beta, double rounding) {
    if (!(beta >= 0 && beta <= 1 - 0x1p-20)) {
      throw new IllegalArgumentException("beta must be from 0 to 1 - 2^-20, but was " + beta);
    }
    if (!(rounding >= 0 && rounding <= MOST_ROUNDING)) {
      throw new IllegalArgumentException("rounding must be from 0 to 2^-5, but was " + rounding);
    }
    this.batches = batches;
    this.passes = passes;
    this.beta = beta;
    this.rounding = rounding;
    this.top = top();
    this.energy = UP * (batches == 0 ? endlessEnergy() : blockEnergy());
    this.nodeNoise = Math.sqrt(energy) * UP;
  }

  /**
   * A tree over rounds without an end.
   *
   * @param beta decay of the sum from one leaf to the next, from 0 to 1 - 2^-20
   * @param rounding e, from 0 to 2^-5
   */
  public static MomentumTree endless(double beta, double rounding) {
    return new MomentumTree(0, 0, beta, rounding);
  }

  /**
   * A tree over the queries of one block, and another one for the next block.
   *
   * @param batches of a pass, at least 1
   * @param passes over them, always in the same order, at least 1; at most 2^22 leaves in all
   */
  public static MomentumTree block(long batches, long passes, double beta, double rounding) {
    if (batches < 1 || passes < 1 || batches > MOST_LEAVES / passes) {
      throw new IllegalArgumentException(
          "a tree of a block must have at least one batch and one pass, and at most " + MOST_LEAVES
              + " leaves, but had " + batches + " batches and " + passes + " passes");
    }
    return new MomentumTree(batches, passes, beta, rounding);
  }

  /** A tree over rounds without an end, on whatever lattice is fitted to it. */
  public static MomentumTree endless(double beta, int dimension, double mu) {
    return endless(beta, endless(beta, COARSEST).fitted(dimension, mu));
  }

  /** A tree over the queries of one block, on whatever lattice is fitted to it. */
  public static MomentumTree block(
      long batches, long passes, double beta, int dimension, double mu) {
    MomentumTree coarse = block(batches, passes, beta, COARSEST);
    return block(batches, passes, beta, coarse.fitted(dimension, mu));
  }

  /**
   * A rounding charge that holds for the lattice that will be fitted, so that noise can be fixed
   * before it. A lattice has a unit of at most {@code 2^-10 clip / sqrt(d)}, and of at most 2^-20 of
   * the noise of a node, which is {@code sqrt(V) s / mu} with s of clip or 2 clip. So {@code 2
   * sqrt(d) unit / clip} is at most 2^-9, and at most {@code 2^-18 sqrt(d V) / mu}. V grows with the
   * charge: that of 2^-9 bounds it. Rounded up to a power of two.
   *
   * @param dimension d
   * @param mu of one participation, positive, or infinite
   */
  private double fitted(int dimension, double mu) {
    double byNoise = 0x1p-18 * Math.sqrt(dimension * energy) * UP / mu;
    double least = Math.max(Math.min(COARSEST, byNoise), 0x1p-40);
    double power = StrictMath.scalb(1.0, Math.getExponent(least));
    return power < least ? 2 * power : power;
  }

  private int top() {
    int longest = batches == 0
        ? LARGEST_LEVEL
        : 63 - Long.numberOfLeadingZeros(Math.multiplyExact(batches, passes));
    int level = 0;
    while (level < longest && factor(1L << level) >= FAINT) {
      level++;
    }
    return level;
  }

  private double endlessEnergy() {
    double sum = 0;
    for (int b = 0; b <= top; b++) {
      double weight = factor((1L << b) - 1) + rounding;
      sum += weight * weight;
    }
    return sum;
  }

  private double blockEnergy() {
    int leaves = Math.toIntExact(batches * passes);
    int width = Math.toIntExact(batches);
    double[] weight = new double[1 << top];
    for (int lag = 0; lag < weight.length; lag++) {
      weight[lag] = factor(lag) + rounding;
    }
    double[] all = new double[width];
    double[] inNode = new double[width];
    for (int level = 0; level <= top; level++) {
      int length = 1 << level;
      int stride = level == top ? length : 2 * length; // left halves, or all of the longest
      for (int end = length; end <= leaves; end += stride) {
        int from = end - length; // the first leaf, from 0
        for (int lag = 0; lag < length; lag++) {
          inNode[(end - 1 - lag) % width] += weight[lag];
        }
        for (int i = from; i < Math.min(end, from + width); i++) {
          double sum = inNode[i % width];
          all[i % width] += sum * sum;
          inNode[i % width] = 0;
        }
      }
    }
    return Arrays.stream(all).max().getAsDouble();
  }

  /** Decay of the sum from one leaf to the next. */
  public double beta() {
    return beta;
  }

  /** The charge e for the rounding of a leaf in a node, relative to the change of one leaf. */
  public double rounding() {
    return rounding;
  }

  /** V, slightly upwards. */
  public double energy() {
    return energy;
  }

  /** Standard deviation of the noise of one node, as a multiple of sigma. */
  public double nodeNoise() {
    return nodeNoise;
  }

  /** The level K of the longest nodes, of 2^K leaves. */
  public int topLevel() {
    return top;
  }

  /** Leaves after which a tree is full; {@link Long#MAX_VALUE} where it has no end. */
  public long leaves() {
    return isEndless() ? Long.MAX_VALUE : batches * passes;
  }

  /** The level of the one node that ends at a leaf, from 1. */
  public int levelEndingAt(long leaf) {
    return Math.min(top, Long.numberOfTrailingZeros(leaf));
  }

  /** Whether the node of a level that holds a leaf is ever read. */
  public boolean isRead(int level, long leaf) {
    return level == top || (leaf - 1 >>> level & 1) == 0;
  }

  /** {@code beta^lag}. */
  public double factor(long lag) {
    return StrictMath.pow(beta, lag);
  }

  /** Whether a node that ended so many leaves ago is left out of the sum. */
  public boolean isFaint(long lag) {
    return factor(lag) < FAINT;
  }

  @Override
  public double leastNoise() {
    return nodeNoise;
  }

  @Override
  public boolean fits(QuerySchedule queries) {
    if (isEndless() || queries == null) {
      return isEndless() && queries == null;
    }
    QuerySchedule.Segment only = queries.segments().get(0);
    return queries.segments().size() == 1
        && only.first() == 0
        && only.repeats() == 1
        && only.batches() == batches
        && only.passes() == passes;
  }

  @Override
  public long queries() {
    return batches == 0 ? 1 : batches * passes;
  }

  @Override
  public boolean isEndless() {
    return batches == 0;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String parameters() {
    return (isEndless() ? "endless" : "block " + batches + "*" + passes) + " beta="
        + Double.toHexString(beta) + " rounding=" + Double.toHexString(rounding);
  }

  /**
   * The tree of a line that {@link #parameters()} gave.
   *
   * @throws IllegalArgumentException for any other line
   */
  public static MomentumTree parse(String line) {
    Matcher fields = LINE.matcher(line);
    MomentumTree tree = null;
    if (fields.matches()) {
      double beta = Double.parseDouble(fields.group(3));
      double rounding = Double.parseDouble(fields.group(4));
      tree = fields.group(1) == null
          ? endless(beta, rounding)
          : block(Long.parseLong(fields.group(1)), Long.parseLong(fields.group(2)), beta, rounding);
    }
    if (tree == null || !tree.parameters().equals(line)) {
      throw new IllegalArgumentException("a tree is [endless or block batches*passes] beta=number"
          + " rounding=number, but was " + line);
    }
    return tree;
  }

  @Override
  public double sensitivity(long rounds, ContributionBound bound) {
    long participations = bound.within(rounds);
    return isEndless()
        ? Math.sqrt(endlessSquare(participations, bound.separation()))
        : Math.sqrt(participations);
  }

  @Override
  public double sensitivityLimit(ContributionBound bound) {
    return bound.most() == Long.MAX_VALUE
        ? Double.POSITIVE_INFINITY
        : sensitivity(Long.MAX_VALUE, bound);
  }

  /**
   * An upper bound of the square for k leaves of one unit, any two at least b apart. Let v_i be the
   * vector of what leaf i moves, node by node: f_i + e, f_i = beta^(z - t_i).
   *
   * <ul>
   *   <li>{@code |sum v_i| <= sum |v_i|}: the square is at most k^2 V.
   *   <li>It is the sum over i of {@code <v_i, sum_j v_j>}, so at most k times the largest sum over j
   *       of {@code <v_i, v_j>}. Two leaves g apart share only nodes of levels l >= l0 = floor(log2
   *       g) + 1, at most 2^K long. Of the later leaf j, these add up to at most {@code R(l0) = sum
   *       over i = 0..K - l0 of (beta^(2^l0 (2^i - 1)) + e)^2}, as V does, since the second of its
   *       used levels from l0 on has a lag of 2^l0 at least. There {@code f_i = beta^g f_j}, so that
   *       {@code <v_i, v_j> <= beta^g R(l0) + e M}, where M is the sum of (beta^(2^b - 1) + e) over b
   *       = 0..K, and 0 from g = 2^K on. It falls with g; the j-th nearest other leaf is at least
   *       ceil(j / 2) b away.
   * </ul>
   */
  private double endlessSquare(long participations, long separation) {
    double k = participations;
    long others = participations - 1;
    long nearest = others / 2;
    double sum = energy + 2 * shared(nearest, separation);
    if (others % 2 == 1) {
      sum += shared(nearest + 1, separation) - shared(nearest, separation);
    }
    return Math.min(k * k, UP * UP * k * Math.max(1, sum / energy));
  }

  /** The bound of the sum of {@code <v_i, v_j>} over leaves at b, 2b, ... count b from one leaf. */
  private double shared(long count, long separation) {
    double sum = 0;
    double charge = 0;
    for (int b = 0; b <= top; b++) {
      charge += factor((1L << b) - 1) + rounding;
    }
    for (int level = 1; level <= top; level++) {
      // The gaps from 2^(level - 1) to 2^level - 1.
      long first = ((1L << level - 1) - 1) / separation + 1;
      long last = Math.min(count, ((1L << level) - 1) / separation);
      if (first > last) {
        continue;
      }
      double energyFrom = 0;
      for (int i = 0; i <= top - level; i++) {
        double weight = factor((1L << level) * ((1L << i) - 1)) + rounding;
        energyFrom += weight * weight;
      }
      double ratio = factor(separation);
      double powers = ratio == 0
          ? 0
          : (factor(first * separation) - factor((last + 1) * separation)) / (1 - ratio);
      // 1 - ratio may be as small as 2^-20, so that powers can be wrong by 2^-30 of themselves.
      sum += (1 + 0x1p-28) * powers * energyFrom + (last - first + 1) * rounding * charge;
    }
    return sum;
  }

  @Override
  public Optional<ColumnDecay> memory() {
    return isEndless() ? Optional.empty() : Optional.of(ColumnDecay.NONE);
  }

  /** That of the decayed sum at a leaf; in a block, the largest. */
  @Override
  public double prefixVariance(long rounds) {
    if (!isEndless()) {
      return largestPrefixVariance(rounds);
    }
    double sum = 0;
    for (long left = rounds; left > 0; left -= 1L << levelEndingAt(left)) {
      double weight = factor(rounds - left);
      if (weight < FAINT) {
        break;
      }
      sum += weight * weight;
    }
    return energy * sum;
  }

  /** Every live node weighs no more than the one of the same place in V. */
  @Override
  public double largestPrefixVariance(long rounds) {
    double sum = 0;
    for (int b = 0; b <= top; b++) {
      double weight = factor((1L << b) - 1);
      sum += weight * weight;
    }
    return rounds == 0 ? 0 : energy * sum;
  }

  /** One node ends at each leaf. */
  @Override
  public double incrementVariance() {
    return energy;
  }
}
