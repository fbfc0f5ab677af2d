package dev.sotto.learner.optimizer.heavytail;

import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.mechanism.QuerySchedule.Segment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * An algorithm whose clip follows its gradients. When all its queries are answered, the block is
 * read once more: the norms of the gradients at the result are counted in bins, and the noisy
 * counts give the clip of the next block, a quantile of norms. The first block has the algorithm's
 * own clip.
 *
 * <p>The bound of what a slot adds stays {@link #clip()}: gradients are multiplied by the factor
 * {@link BlockIterates#gradientFactor} before the cut, noisy means divided by it. All else is
 * computed from released numbers.
 *
 * @param inner the algorithm
 * @param share of a block's squared mu that the counts cost, above 0 and below 1
 * @param target the number of a block's gradients that a good clip cuts
 * @param weights d: a query counts as many bins at most
 * @param noise sigma of one participation for each unit of the clip
 */
public record QuantileClip(
    BlockAlgorithm inner, double share, double target, int weights, double noise)
    implements BlockAlgorithm {
  /** Number of bins. */
  public static final int BINS = NormCounts.BINS;

  private static final double MOST_CUT = 0.1;

  /** The clip never leaves this range around the first one, in either direction. */
  private static final double WIDEST = 0x1p60;

  /**
   * The number of a block's gradients that a good clip cuts: at most a tenth of them. Where noise
   * is so large that the rule asks for more, what it cuts is no tail
   * (docs/experiments/heavy-tails.md, "The clip of a quantile").
   */
  public static double target(BlockAlgorithm algorithm, BlockSize size) {
    return Math.min(MOST_CUT, algorithm.tail(size)) * algorithm.queries().slots();
  }

  public QuantileClip {
    if (!(share > 0 && share < 1)) {
      throw new IllegalArgumentException("share must be above 0 and below 1, but was " + share);
    }
    new NormCounts(target, noise);
  }

  /** How many queries count norms: one, unless there are fewer weights than bins. */
  public long counting() {
    return (BINS - 1) / perQuery() + 1;
  }

  private int perQuery() {
    return Math.min(BINS, weights);
  }

  private long gradientQueries() {
    return inner.queries().queries();
  }

  /** The counts, in units of examples. */
  private NormCounts counts() {
    return new NormCounts(target, noise * Math.sqrt(counting() / share));
  }

  @Override
  public QuerySchedule queries() {
    QuerySchedule before = inner.queries();
    List<Segment> segments = new ArrayList<>(before.segments());
    double relative = Math.sqrt(counting() * (1 - share) / share);
    segments.add(Segment.whole(0, before.slots(), counting(), relative));
    return new QuerySchedule(segments);
  }

  @Override
  public double clip() {
    return inner.clip();
  }

  @Override
  public double tail(BlockSize size) {
    return inner.tail(size);
  }

  @Override
  public double scale(long query) {
    return query <= gradientQueries() ? inner.scale(query) : 1;
  }

  /** The first bin that a query counts; -1 where it sums gradients. */
  public int firstBin(long query) {
    long before = query - gradientQueries() - 1;
    return before < 0 ? -1 : (int) before * perQuery();
  }

  /** How many bins a query counts. */
  public int bins(long query) {
    return Math.min(perQuery(), BINS - firstBin(query));
  }

  /** The edge below bin 1, of norms of scaled gradients. */
  public double lowest() {
    return NormCounts.LOWEST * clip();
  }

  @Override
  public String describe() {
    return inner.describe() + " quantile=" + Double.toHexString(target) + " share="
        + Double.toHexString(share);
  }

  @Override
  public BlockIterates start(double[] first) {
    BlockIterates iterates = new Iterates(inner.start(first), first.length);
    iterates.restart();
    return iterates;
  }

  @Override
  public BlockIterates resume(int dimension, double[] iterates) {
    return new Iterates(inner.start(new double[dimension]), dimension).resume(iterates);
  }

  private final class Iterates extends BlockIterates {
    private final BlockIterates algorithm; // shares its published point
    private final long sums = gradientQueries();
    private final long slots = inner.queries().slots();
    private final double[] counts = new double[BINS];
    private double ratio = 1;

    Iterates(BlockIterates algorithm, int dimension) {
      super(algorithm.published, gradientQueries() + counting());
      this.algorithm = algorithm;
      if (dimension < perQuery()) {
        throw new IllegalArgumentException("there must be at least " + perQuery()
            + " weights, as many as bins of a query, but were " + dimension);
      }
    }

    @Override
    protected void begin() {
      algorithm.restart();
    }

    @Override
    public double[] point() {
      return query() <= sums ? algorithm.point() : published;
    }

    @Override
    public double gradientFactor() {
      return 1 / ratio;
    }

    @Override
    protected void step(long asked, double[] mean) {
      if (asked <= sums) {
        for (int i = 0; i < mean.length; i++) {
          mean[i] *= ratio;
        }
        algorithm.tell(mean); // the last answer moves the published point, and begins a block
        return;
      }
      int first = firstBin(asked);
      for (int i = 0; i < bins(asked); i++) {
        counts[first + i] = mean[i] * slots / clip();
      }
    }

    @Override
    protected void result(double[] into) {
      double next = ratio * counts().factor(counts);
      follow(Math.max(1 / WIDEST, Math.min(WIDEST, next)));
    }

    private void follow(double next) {
      ratio = next;
      algorithm.clipRatio(next);
      Arrays.fill(counts, 0);
    }

    @Override
    protected double[] own() {
      double[] state = algorithm.iterates();
      double[] own = Arrays.copyOfRange(state, published.length, state.length + BINS + 1);
      System.arraycopy(counts, 0, own, own.length - BINS - 1, BINS);
      own[own.length - 1] = ratio;
      return own;
    }

    @Override
    protected void take(double[] own) {
      int before = own.length - BINS - 1;
      double next = own[own.length - 1];
      if (!(next >= 1 / WIDEST && next <= WIDEST)) {
        throw new IllegalArgumentException("the clip must be " + 1 / WIDEST + " to " + WIDEST
            + " times the first one, but was " + next);
      }
      double[] state = Arrays.copyOf(published, published.length + before);
      System.arraycopy(own, 0, state, published.length, before);
      algorithm.resume(state);
      follow(next);
      System.arraycopy(own, before, counts, 0, BINS);
    }
  }
}
