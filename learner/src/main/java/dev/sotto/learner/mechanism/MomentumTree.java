package dev.sotto.learner.mechanism;

import dev.sotto.learner.description.Section;
import dev.sotto.learner.participation.ColumnDecay;
import dev.sotto.learner.participation.ContributionBound;
import java.util.Optional;
import java.util.OptionalDouble;
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
 * <p>The charge e covers the rounding of decayed leaves to whole lattice units: with products of
 * doubles, cut towards zero, a coordinate's change grows by at most one unit for the cut and one
 * for the product, so a leaf's change in a node by {@code 2 sqrt(d) unit} at most, which is at most
 * {@code e clip}, and so {@code e s}.
 */
public final class MomentumTree extends QueryMechanism {
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
  private final DecayedTreeCost cost;
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
    this.cost = new DecayedTreeCost(beta, rounding, top);
    this.energy = UP * (batches == 0 ? cost.endlessEnergy() : cost.blockEnergy(batches, passes));
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
   * before it. A lattice has a unit of at most {@code 2^-10 clip / sqrt(d)}, and of at most 2^-20
   * of the noise of a node, which is {@code sqrt(V) s / mu} with s of clip or 2 clip. So {@code 2
   * sqrt(d) unit / clip} is at most 2^-9, and at most {@code 2^-18 sqrt(d V) / mu}. V grows with
   * the charge: that of 2^-9 bounds it. Rounded up to a power of two.
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

  /** Whether a node that ended a number of leaves ago is left out of the sum. */
  public boolean isFaint(long lag) {
    return factor(lag) < FAINT;
  }

  @Override
  public <T> T kind(Kinds<T> kinds) {
    return kinds.decayedSums(this);
  }

  @Override
  public Section describe(PlanFigures plan) {
    return describeTree();
  }

  @Override
  public double leastNoise() {
    return nodeNoise;
  }

  @Override
  public double largestNoise() {
    return nodeNoise;
  }

  /** A tree pays for the rounding of its leaves, which grows with the number of coordinates. */
  @Override
  public MomentumTree ofAnyLattice() {
    return new MomentumTree(batches, passes, beta, COARSEST);
  }

  @Override
  public long stateBytes(long dimension, long rounds) {
    return treeBytes(dimension, isEndless() ? rounds : queries());
  }

  @Override
  public boolean fits(Optional<QuerySchedule> block) {
    return isEndless()
        ? block.isEmpty()
        : block.filter(each -> each.isPasses(batches, passes)).isPresent();
  }

  @Override
  public long queries() {
    return batches == 0 ? 1 : batches * passes;
  }

  @Override
  public double passes() {
    return isEndless() ? 1 : passes;
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
        ? Math.sqrt(cost.endlessSquare(energy, participations, bound.separation()))
        : Math.sqrt(participations);
  }

  @Override
  public double sensitivityLimit(ContributionBound bound) {
    return bound.most() == Long.MAX_VALUE
        ? Double.POSITIVE_INFINITY
        : sensitivity(Long.MAX_VALUE, bound);
  }

  @Override
  public Optional<ColumnDecay> memory() {
    return isEndless() ? Optional.empty() : Optional.of(ColumnDecay.NONE);
  }

  @Override
  public OptionalDouble runningVariance(long round) {
    return isEndless() ? OptionalDouble.of(sumVariance(round)) : OptionalDouble.empty();
  }

  @Override
  public AnswerRows answerRows() {
    return new NodeRows(this);
  }

  /** Decayed sums need a coarser lattice: what they may add up to is longer. */
  @Override
  public double quietest() {
    return 0x1p-9;
  }

  /** The variance of the noise of the decayed sum at a leaf, for a sigma of 1. */
  public double sumVariance(long leaf) {
    double sum = 0;
    for (long left = leaf; left > 0; left -= 1L << levelEndingAt(left)) {
      double weight = factor(leaf - left);
      if (weight < FAINT) {
        break;
      }
      sum += weight * weight;
    }
    return energy * sum;
  }
}
