package dev.sotto.learner.optimizer.heavytail;

import dev.sotto.learner.mechanism.PlanFigures;
import dev.sotto.learner.description.Section;
import static dev.sotto.learner.description.FigureFormat.number;
import java.util.Optional;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.mechanism.QuerySchedule.Segment;
import dev.sotto.learner.optimizer.AdviceInputs;
import dev.sotto.learner.optimizer.BlockAlgorithm;
import dev.sotto.learner.optimizer.BlockIterates;
import dev.sotto.learner.optimizer.NormBins;
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
 */
public final class QuantileClip implements BlockAlgorithm {
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
  public static double target(ClippedAlgorithm algorithm, BlockSize size) {
    return Math.min(MOST_CUT, algorithm.tail(size)) * algorithm.queries().slots();
  }

  private final ClippedAlgorithm inner;
  private final double share;
  private final double target;
  private final int weights;
  private final double noise;
  private final QuerySchedule queries;

  /**
   * An algorithm with another clip in every block.
   *
   * @param inner the algorithm
   * @param share of a block's squared mu that the counts cost, above 0 and below 1
   * @param target the number of a block's gradients that a good clip cuts
   * @param weights d: a query counts as many bins at most
   * @param noise sigma of one participation for each unit of the clip
   */
  public QuantileClip(
      ClippedAlgorithm inner, double share, double target, int weights, double noise) {
    if (!(share > 0 && share < 1)) {
      throw new IllegalArgumentException("share must be above 0 and below 1, but was " + share);
    }
    this.inner = inner;
    this.share = share;
    this.target = target;
    this.weights = weights;
    this.noise = noise;
    this.queries = withCounts();
    counts(); // refuses a target that cannot be counted
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

  private QuerySchedule withCounts() {
    QuerySchedule before = inner.queries();
    List<Segment> segments = new ArrayList<>(before.segments());
    double relative = Math.sqrt(counting() * (1 - share) / share);
    segments.add(Segment.whole(0, before.slots(), counting(), relative));
    return new QuerySchedule(segments);
  }

  @Override
  public QuerySchedule queries() {
    return queries;
  }

  @Override
  public double clip() {
    return inner.clip();
  }

  @Override
  public double scale(long query) {
    return query <= gradientQueries() ? inner.scale(query) : 1;
  }

  /** The bins that a query counts, of norms of scaled gradients. */
  @Override
  public NormBins norms(long query) {
    return query <= gradientQueries()
        ? null
        : new NormBins(NormCounts.LOWEST * clip(), BINS, firstBin(query), bins(query));
  }

  private int firstBin(long query) {
    return (int) (query - gradientQueries() - 1) * perQuery();
  }

  private int bins(long query) {
    return Math.min(perQuery(), BINS - firstBin(query));
  }

  @Override
  public String reason() {
    return "Clip " + number(clip()) + " in the first block, then a quantile of gradients' norms,"
        + " which every block releases for the next with noise: " + number(100 * share)
        + " % of its squared mu, and one more pass.";
  }

  @Override
  public Section describe(PlanFigures plan) {
    return Section.untitled()
        .sentence("The last part counts norms of gradients, for the clip of the next block; it"
            + " costs " + number(100 * share) + " % of the block's squared mu. The clips above are"
            + " those of the first block.");
  }

  @Override
  public Optional<String> hindersParts() {
    return Optional.of("and a clip that follows its gradients (or heavy.clip: rule be given)");
  }

  @Override
  public List<String> advice(AdviceInputs of) {
    return inner.advice(of);
  }

  @Override
  public String describe() {
    return inner.describe() + " quantile=" + Double.toHexString(target) + " share="
        + Double.toHexString(share);
  }

  /** The algorithm moves the weights into its set. */
  @Override
  public BlockIterates start(double[] first) {
    BlockIterates iterates = iterates(first);
    iterates.restart();
    return iterates;
  }

  @Override
  public void project(double[] weights) {
    inner.project(weights);
  }

  @Override
  public BlockIterates iterates(double[] published) {
    return new Iterates(inner.start(published), published.length);
  }

  private final class Iterates extends BlockIterates {
    private final BlockIterates algorithm; // shares its published point
    private final long sums = gradientQueries();
    private final long slots = inner.queries().slots();
    private final double[] counts = new double[BINS];
    private double ratio = 1;

    Iterates(BlockIterates algorithm, int dimension) {
      super(algorithm.weights(), queries);
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
