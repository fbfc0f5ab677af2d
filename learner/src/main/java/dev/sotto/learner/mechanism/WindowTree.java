package dev.sotto.learner.mechanism;

import dev.sotto.learner.description.Section;
import dev.sotto.learner.participation.ColumnDecay;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Noise on the nodes of two trees over the queries of a block, for sums over the last n of them, n
 * being the batches of a pass: one tree over the first pass, and one over all later ones. Nothing
 * decays. Nodes are of levels 0 to k = floor(log2 n), left and right ones: what windows of n leaves
 * read (docs/momentum.md, "Windows").
 *
 * <p>A node is no longer than a pass, so a batch is at most once in it, and in at most k + 1 nodes
 * for each time that it is read. With noise of {@code sqrt((k + 1) / b)} in the first tree and
 * {@code sqrt((k + 1)(E - 1) / (1 - b))} in the second, in units of sigma, one participation costs
 * {@code b + (1 - b) = 1}.
 */
public final class WindowTree extends QueryMechanism {
  /** The name in ledgers. */
  public static final String NAME = "window-tree";

  private static final Pattern LINE = Pattern.compile("(\\d{1,18})\\*(\\d{1,18}) first=(\\S+)");
  private static final double UP = 1 + 0x1p-40;
  private static final long MOST_BATCHES = 1 << 16;

  private final long batches;
  private final long passes;
  private final double first;

  /**
   * A tree.
   *
   * @param batches n of a pass, 1 to 2^16
   * @param passes E, at least 2
   * @param first b: the share of the first pass in the price, between 0 and 1
   */
  public WindowTree(long batches, long passes, double first) {
    if (batches < 1 || batches > MOST_BATCHES || passes < 2 || passes > 1L << 32) {
      throw new IllegalArgumentException(
          "windows must have 1 to 2^16 batches and at least 2 passes," + " but had " + batches
              + " and " + passes);
    }
    if (!(first > 0 && first < 1)) {
      throw new IllegalArgumentException(
          "the share of the first pass must be between 0 and 1, but was " + first);
    }
    this.batches = batches;
    this.passes = passes;
    this.first = first;
  }

  /** The level k of the longest nodes. */
  public int topLevel() {
    return 63 - Long.numberOfLeadingZeros(batches);
  }

  /** n: leaves of the first tree, and of a window. */
  public int batches() {
    return (int) batches;
  }

  /** Leaves of both trees. */
  public long leaves() {
    return batches * passes;
  }

  /**
   * Standard deviation of the noise of a node, as a multiple of sigma.
   *
   * @param ofFirst of the first tree, or of the second
   */
  public double nodeNoise(boolean ofFirst) {
    double nodes = topLevel() + 1;
    return UP * Math.sqrt(ofFirst ? nodes / first : nodes * (passes - 1) / (1 - first));
  }

  @Override
  public Section describe(PlanFigures plan) {
    return describeTree();
  }

  @Override
  public double leastNoise() {
    return Math.min(nodeNoise(true), nodeNoise(false));
  }

  /** Of an answer: a window is covered by at most 2 (k + 1) nodes. */
  @Override
  public double largestNoise() {
    double most = Math.max(nodeNoise(true), nodeNoise(false));
    return Math.sqrt(2 * (topLevel() + 1) * most * most);
  }

  @Override
  public long stateBytes(long dimension, long rounds) {
    return treeBytes(dimension, leaves());
  }

  @Override
  public <T> T kind(Kinds<T> kinds) {
    return kinds.windows(this);
  }

  @Override
  public boolean fits(Optional<QuerySchedule> block) {
    return block.filter(each -> each.isPasses(batches, passes)).isPresent();
  }

  @Override
  public AnswerRows answerRows() {
    return new WindowRows(this);
  }

  /** Whether it is small enough to be written out. */
  @Override
  public boolean audits() {
    return leaves() <= WindowRows.MOST_QUERIES;
  }

  @Override
  public double passes() {
    return passes;
  }

  @Override
  public long queries() {
    return leaves();
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String parameters() {
    return batches + "*" + passes + " first=" + Double.toHexString(first);
  }

  /**
   * The tree of a line that {@link #parameters()} gave.
   *
   * @throws IllegalArgumentException for any other line
   */
  public static WindowTree parse(String line) {
    Matcher fields = LINE.matcher(line);
    WindowTree tree = fields.matches()
        ? new WindowTree(
            Long.parseLong(fields.group(1)),
            Long.parseLong(fields.group(2)),
            Double.parseDouble(fields.group(3)))
        : null;
    if (tree == null || !tree.parameters().equals(line)) {
      throw new IllegalArgumentException(
          "a tree of windows is batches*passes first=number, but was " + line);
    }
    return tree;
  }

  @Override
  public Optional<ColumnDecay> memory() {
    return Optional.of(ColumnDecay.NONE);
  }
}
