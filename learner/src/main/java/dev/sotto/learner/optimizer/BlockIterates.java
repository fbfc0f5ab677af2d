package dev.sotto.learner.optimizer;

import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.release.NoisySum;
import java.util.Arrays;

/**
 * The way of one model through a {@link BlockAlgorithm}: the point that was published last, at
 * which the block began, vectors of the algorithm, and the next query. Not safe for use by several
 * threads.
 */
public abstract class BlockIterates implements OptimizerState {
  private final long queries;
  private final int points; // of a query, each with a mean of its own

  /** What is published: the result of the last block. */
  protected final double[] published;

  private double clipRatio = 1;
  private long query = 1;
  private double[] mean = {};

  /**
   * At public weights.
   *
   * @param published the weights, kept
   * @param queries of a block
   */
  protected BlockIterates(double[] published, QuerySchedule queries) {
    this.published = published;
    this.queries = queries.queries();
    this.points = queries.sampling().points();
  }

  /** What is published: the result of the last block. */
  @Override
  public final double[] weights() {
    return published;
  }

  /** The next query of the block, from 1. */
  @Override
  public final long query() {
    return query;
  }

  /** Gradients are cut at another clip from now on: this many times that of the algorithm. */
  public final void clipRatio(double ratio) {
    clipRatio = ratio;
  }

  /** The clip of the answers, over that of the algorithm. */
  protected final double clipRatio() {
    return clipRatio;
  }

  @Override
  public final void tell(NoisySum answer) {
    if (mean.length == 0) {
      mean = new double[published.length * points];
    }
    answer.lastMean(mean);
    tell(mean);
  }

  /**
   * Takes the noisy mean of a query. After the last query of a block its result is published, and
   * the next block begins there.
   *
   * @param noisy the noisy sum divided by the slots of the query, of as many numbers as there are
   *     weights for each of its points; it is changed
   */
  public final void tell(double[] noisy) {
    step(query, noisy);
    if (query < queries) {
      query++;
      prepare(query);
    } else {
      result(published);
      restart();
    }
  }

  /**
   * Passes over a query that nothing answers: no vector changes.
   *
   * @throws IllegalStateException at the last query of a block
   */
  @Override
  public final void unanswered() {
    if (query == queries) {
      throw new IllegalStateException(
          "the last query of a block must be answered, but query " + query + " was not");
    }
    query++;
    prepare(query);
  }

  /** Begins a block at what is published. */
  @Override
  public final void restart() {
    query = 1;
    begin();
    prepare(query);
  }

  /** Everything that a restart of the process needs. */
  @Override
  public final double[] iterates() {
    int dimension = published.length;
    double[] own = own();
    double[] all = Arrays.copyOf(published, dimension + own.length + 1);
    System.arraycopy(own, 0, all, dimension, own.length);
    all[all.length - 1] = query;
    return all;
  }

  /**
   * Takes over what {@link #iterates} gave.
   *
   * @throws IllegalArgumentException if these are not as many numbers, or the last is no query
   */
  public final BlockIterates resume(double[] all) {
    int dimension = published.length;
    begin();
    int expected = dimension + own().length + 1;
    double next = all.length == expected ? all[expected - 1] : 0;
    if (!(next >= 1 && next <= queries && next == Math.rint(next))) {
      throw new IllegalArgumentException("the algorithm keeps " + expected + " numbers for "
          + dimension + " weights, the last from 1 to " + queries + ", but there were " + all.length
          + " and it was " + (all.length == 0 ? "none" : all[all.length - 1]));
    }
    System.arraycopy(all, 0, published, 0, dimension);
    take(Arrays.copyOfRange(all, dimension, expected - 1));
    query = (long) next;
    prepare(query);
    return this;
  }

  /** Sets its vectors to those of the beginning of a block. */
  protected abstract void begin();

  /** Computes what a query needs from its vectors alone. */
  protected void prepare(long next) {}

  /** Takes the answer of a query. */
  protected abstract void step(long asked, double[] mean);

  /** Writes the result of the block. */
  protected abstract void result(double[] into);

  /** A copy of its vectors, one after the other. */
  protected abstract double[] own();

  /** Takes such a copy over. */
  protected abstract void take(double[] own);

  /** The vectors, one after the other. */
  protected static double[] join(double[]... vectors) {
    int length = vectors[0].length;
    double[] all = new double[vectors.length * length];
    for (int i = 0; i < vectors.length; i++) {
      System.arraycopy(vectors[i], 0, all, i * length, length);
    }
    return all;
  }

  /** The inverse of {@link #join}; a longer array has more behind the vectors. */
  protected static void split(double[] all, double[]... into) {
    for (int i = 0; i < into.length; i++) {
      System.arraycopy(all, i * into[i].length, into[i], 0, into[i].length);
    }
  }
}
