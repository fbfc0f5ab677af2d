package dev.sotto.learner.release;

import dev.sotto.learner.key.KeyDerivation;
import dev.sotto.learner.key.KeyedNoise;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.mechanism.GradientNorm;
import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.mechanism.NoiseState;
import dev.sotto.learner.mechanism.PagedBytes;
import dev.sotto.learner.mechanism.PrefixMechanism;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.crypto.Mac;

/**
 * The only place where exact sums become noisy ones. It chains the running digest (docs/privacy.md,
 * "Where the noise comes from"): the noise of a round is bound to everything that led there and to
 * the very sum that it hides, so that the same noise can never meet another sum.
 *
 * <p>Promises: the same history gives the same bits; another history, in whatever it differs, gives
 * independent noise from the first difference on.
 */
public final class Releaser {
  /** Changes whenever the same input would give other sums or other noise. */
  public static final int SEMANTICS = 4;

  private static final String METRICS = "metrics";
  private static final String WALK = "walk";

  private final Lattice lattice;
  private NoiseKey key;
  private Mac chain; // of the running digest, under the key
  private final byte[] fingerprint;
  private KeyedNoise noise;
  private final Mechanism mechanism;
  private final MetricsNoise metering; // null without metrics
  private final PrefixSum prefix;
  private final PrefixSum window;
  private final long[] step;
  private final double sigmaInUnits;
  private final QueryAnswers queries; // null where the mechanism releases prefixes
  private NoiseState noiseState; // null where it answers queries
  private final RedrawnRounds redrawn;
  private SealedRoundSum sealed; // null before the open round's first checkpoint
  private byte[] digest;
  private long round;
  private long before;
  private int generation;

  private record Settings(
      Lattice lattice,
      Mechanism mechanism,
      double sigma,
      MetricsNoise metering,
      byte[] fingerprint) {}

  private Releaser(Settings settings, NoiseKey key, ReleaserState from) {
    lattice = settings.lattice();
    mechanism = settings.mechanism();
    metering = settings.metering();
    fingerprint = settings.fingerprint().clone();
    double sigma = settings.sigma();
    if (!(sigma >= 0) || sigma == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("sigma must be finite and not negative, but was " + sigma);
    }
    if (mechanism.norm() != lattice.norm() && mechanism.norm() == GradientNorm.L1) {
      throw new IllegalArgumentException("mechanism " + mechanism.name()
          + " hides changes bounded in l1, but the lattice bounds " + lattice.norm());
    }
    this.sigmaInUnits = sigma / lattice.unit();
    use(key);
    boolean own = mechanism.ofQueries().isPresent();
    this.step = PrefixSum.room(own ? 0 : lattice.dimension());
    this.prefix = prefix(from == null || own ? null : from.prefix(), own ? 0 : lattice.dimension());
    int figures = metering == null ? 0 : metering.lattice().dimension();
    this.window = prefix(from == null ? null : from.window(), figures);
    if (from != null) {
      digest = from.digest().clone();
      round = from.round();
      before = from.before();
      generation = from.generation();
    }
    redrawn = from == null
        ? new RedrawnRounds(lattice.dimension())
        : RedrawnRounds.of(from.redrawn(), round, digest, lattice.dimension());
    // One key for both: that it is the right one is known once a page has been opened.
    NoiseKey drawnUnder = from == null ? key : keyOf(from.walk());
    PagedBytes noiseOf = from == null ? null : openNoise(from.walk(), drawnUnder);
    if (own) {
      this.queries = new QueryAnswers(
          lattice, sigma, mechanism.ofQueries().get(), Optional.ofNullable(noiseOf));
    } else {
      this.queries = null;
      this.noiseState = from == null ? prefixes().start() : prefixes().resume(noiseOf);
      drawAgain(from, drawnUnder);
    }
  }

  private PrefixMechanism prefixes() {
    return mechanism.ofPrefixes().get();
  }

  /** Brings the mechanism's state to the round of the sums that were stored beside it. */
  private void drawAgain(ReleaserState from, NoiseKey drawnUnder) {
    if (from == null || from.walk().pages() == 0) {
      if (from != null && redrawn.first() < round) {
        throw new IllegalArgumentException("the noise of the rounds from " + redrawn.first()
            + " to " + round + " cannot be drawn again: what they follow is missing");
      }
      redrawn.forget();
      return;
    }
    redrawn.drawnUnder(drawnUnder.id());
    KeyedNoise drawn = new KeyedNoise(drawnUnder, sigmaInUnits);
    for (long next = redrawn.first() + 1; next <= round; next++) {
      noiseState.pass(next - before, redrawn.digest(next), drawn, step);
    }
  }

  /**
   * Refuses a mechanism of an algorithm's own whose sums would not be exact on a lattice.
   *
   * @throws IllegalArgumentException with the rule and the value
   */
  public static void check(Lattice lattice, double sigma, Mechanism mechanism) {
    mechanism.ofQueries().ifPresent(own -> {
      QueryAnswers.tree(lattice, sigma, own, Optional.empty());
      own.ordered().ifPresent(noise -> PathLattice.check(lattice, sigma, noise));
    });
  }

  /**
   * With blt the noise state is the very noise of the prefix that is stored beside it.
   */
  private PagedBytes closedNoise(int pageBytes) {
    PagedBytes open = queries == null ? noiseState.state(pageBytes) : queries.state(pageBytes);
    return SealedPages.close(open, new StateSeal(key, digest, round + 1), WALK);
  }

  private PagedBytes openNoise(PagedBytes closed, NoiseKey closedUnder) {
    if (closed.pages() == 0) {
      return closed;
    }
    long of = redrawn.first();
    return SealedPages.open(closed, new StateSeal(closedUnder, redrawn.digest(of), of + 1), WALK);
  }

  private NoiseKey keyOf(PagedBytes closed) {
    String closedBy = closed.pages() == 0 ? "" : StateSeal.keyId(closed.page(0));
    return key.holds(closedBy) ? key.ofId(closedBy) : key;
  }

  private static PrefixSum prefix(PagedBytes bytes, int dimension) {
    return bytes == null ? new PrefixSum(dimension) : PrefixSum.of(bytes, dimension);
  }

  /**
   * The beginning of a run without metrics; see
   * {@link #start(Lattice, Mechanism, double, MetricsNoise, NoiseKey, byte[], byte[], double[])}.
   */
  public static Releaser start(
      Lattice lattice,
      Mechanism mechanism,
      double sigma,
      NoiseKey key,
      byte[] runId,
      byte[] fingerprint,
      double[] firstPoint) {
    return start(lattice, mechanism, sigma, null, key, runId, fingerprint, firstPoint);
  }

  /**
   * The beginning of a run.
   *
   * @param sigma standard deviation of the noise per coordinate of the sum; its scale where the
   *     mechanism is pure
   * @param metering of metrics, or null for none
   * @param runId 16 bytes, from {@link NoiseKey#runId}
   * @param fingerprint digest of the configuration in force
   * @param firstPoint the weights before the first round
   */
  public static Releaser start(
      Lattice lattice,
      Mechanism mechanism,
      double sigma,
      MetricsNoise metering,
      NoiseKey key,
      byte[] runId,
      byte[] fingerprint,
      double[] firstPoint) {
    Settings settings = new Settings(lattice, mechanism, sigma, metering, fingerprint);
    Releaser releaser = new Releaser(settings, key, null);
    releaser.digest = RunningDigest.first(key, runId, firstPoint);
    releaser.redrawn.begin(0, releaser.digest, key.id());
    return releaser;
  }

  /** Goes on from a state, with the settings of the start, without metrics. */
  public static Releaser resume(
      Lattice lattice,
      Mechanism mechanism,
      double sigma,
      NoiseKey key,
      byte[] fingerprint,
      ReleaserState state) {
    return resume(lattice, mechanism, sigma, null, key, fingerprint, state);
  }

  /** Goes on from a state, with the settings of the start. */
  public static Releaser resume(
      Lattice lattice,
      Mechanism mechanism,
      double sigma,
      MetricsNoise metering,
      NoiseKey key,
      byte[] fingerprint,
      ReleaserState state) {
    Settings settings = new Settings(lattice, mechanism, sigma, metering, fingerprint);
    return new Releaser(settings, key, state);
  }

  /** From the next round on, what is new follows from this key. */
  public void use(NoiseKey newKey) {
    key = newKey;
    chain = KeyDerivation.mac(newKey.chainKey());
    sealed = null;
    noise = new KeyedNoise(newKey, sigmaInUnits);
  }

  /** Leaves large arrays to the next run that this thread goes on with; no use afterwards. */
  public void recycle() {
    if (queries == null) {
      noiseState.recycle();
      prefix.recycle(step);
    }
    round = -1; // views of a state are of no use any more either
  }

  /** Rounds released so far. */
  public long round() {
    return round;
  }

  /**
   * {@link #release(ClippedSum, ClippedSum, double[][], byte[], int)} without metrics, at one
   * point.
   */
  public NoisySum release(ClippedSum sum, double[] point, byte[] content, int generation) {
    return release(sum, null, new double[][] {point}, content, generation);
  }

  /**
   * Adds the noise of the next round to its exact sums, forgets them, and gives out the noisy
   * prefix of the generation. The answer is a view: it is good until the next call.
   *
   * @param sum a full round; emptied by this call
   * @param metrics the same slots' figures, on the grid of the metering; emptied too; null without
   *     metrics
   * @param points the point(s) at which its gradients were taken
   * @param content the fingerprint of the round's slots
   * @param ofRound the round's generation: 0 until an algorithm restarts on fresh records, and
   *     never less than that of the round before
   */
  public NoisySum release(
      ClippedSum sum, ClippedSum metrics, double[][] points, byte[] content, int ofRound) {
    checkRound(sum, lattice);
    if (sum.room() != lattice.batch() || sum.groups() > 1) {
      throw new IllegalArgumentException(
          "a round has " + lattice.batch() + " slots, but the sum was opened for " + sum.room());
    }
    if ((metrics == null) != (metering == null)) {
      throw new IllegalArgumentException("metrics are released with a metering, and only then");
    }
    if (metering != null) {
      checkRound(metrics, metering.lattice());
    }
    if (ofRound < generation) {
      throw new IllegalArgumentException(
          "generation " + ofRound + " cannot follow generation " + generation);
    }
    if (ofRound > generation) {
      restart(ofRound);
    }
    if (queries != null) {
      throw new IllegalStateException(
          mechanism.name() + " answers queries, and releases no prefixes");
    }
    round++;
    sealed = null;
    List<double[]> vectors = new ArrayList<>();
    vectors.add(sum.sum);
    if (metrics != null) {
      vectors.add(metrics.sum);
    }
    vectors.addAll(Arrays.asList(points));
    RunningDigest.Round facts = new RunningDigest.Round(fingerprint, generation, round, content);
    digest = RunningDigest.next(key, chain, digest, facts, vectors);
    Arrays.fill(step, 0);
    noiseState.advance(round - before, digest, noise, step);
    redrawn.released(digest, key.id());
    prefix.add(sum.sum, lattice.unit(), step);
    sum.clear();
    if (metering != null) {
      meter(metrics);
    }
    return NoisySum.ofPrefix(round - before, prefix, step, lattice);
  }

  /**
   * Adds the noise of the next query of a block to its exact sum, forgets that, and gives out the
   * noisy sum. The answer is a view: it is good until the next call. A query that only reads has
   * none: it binds the secret coins of those behind it to the content of the block.
   *
   * @param sum a full query; emptied by this call. Of a path, the answer is the noisy average of its
   *     points
   * @param points the point(s) at which its gradients were taken, or at which its path began
   * @param content the fingerprint of the query's slots
   * @param query its number in the block, from 1
   * @param last whether the block ends with it: a round is a block
   * @return null where the query is not answered
   */
  public NoisySum releaseQuery(
      OpenSum sum, double[][] points, byte[] content, long query, boolean last) {
    if (queries == null || metering != null) {
      throw new IllegalStateException(mechanism.name() + " releases prefixes, and no answers of"
          + " queries, or metrics are released beside");
    }
    checkRound(sum, lattice);
    queries.check(sum, query, last);
    sealed = null;
    List<double[]> vectors = new ArrayList<>();
    vectors.add(new double[] {query, sum.room()});
    vectors.add(sum.numbers());
    if (sum instanceof PathSum path) {
      vectors.add(path.start());
    }
    vectors.addAll(Arrays.asList(points));
    RunningDigest.Round facts =
        new RunningDigest.Round(fingerprint, generation, round + 1, content);
    digest = RunningDigest.next(key, chain, digest, facts, vectors);
    NoisySum answer = queries.answer(sum, query, round + 1, digest, key);
    sum.clear();
    queries.answered(last ? 0 : query);
    if (last) {
      round++;
    }
    return answer;
  }

  /**
   * The seed of the secret coins of the next query of a block, or of the perturbations of its path:
   * it follows from everything before; of coins, the content of the whole block included.
   */
  public byte[] coinSeed(long query) {
    return key.coinSeed(digest, query);
  }

  /** Goes on inside a block, some of whose queries were answered before the state was taken. */
  public void resumeBlock(long answeredBefore) {
    if (queries != null) {
      queries.answered(answeredBefore);
    }
  }

  private static void checkRound(OpenSum sum, Lattice lattice) {
    if (!sum.lattice().equals(lattice)) {
      throw new IllegalArgumentException(
          "the sum must lie on the lattice " + lattice + ", but lies on " + sum.lattice());
    }
    if (!sum.isFull()) {
      throw new IllegalStateException(
          "a round of " + sum.room() + " slots is released whole, but has " + sum.slots());
    }
  }

  /** Another generation: another prefix under fresh noise; the running digest goes on. */
  private void restart(int next) {
    generation = next;
    before = round;
    prefix.clear();
    noiseState = prefixes().start();
    redrawn.forget();
  }

  private void meter(ClippedSum metrics) {
    double unit = metering.lattice().unit();
    long[] fresh = new long[metering.lattice().dimension()];
    if (metering.sigma() > 0) {
      new KeyedNoise(key, metering.sigma() / unit).add(digest, METRICS, round, 1, fresh);
    }
    window.add(metrics.sum, unit, fresh);
    metrics.clear();
  }

  /** The next round begins another window of metrics. */
  public void beginWindow() {
    window.clear();
  }

  /** The noisy sums of the metrics over the rounds of their window so far; null without metrics. */
  public double[] window() {
    if (metering == null) {
      return null;
    }
    double[] sums = new double[metering.lattice().dimension()];
    window.toDoubles(sums, metering.lattice().unit(), 1);
    return sums;
  }

  /**
   * The noisy prefix as it stands, to compute the weights again after a restart; none before the
   * first round.
   */
  public NoisySum latest() {
    if (round == 0 || queries != null) {
      throw new IllegalStateException("nothing has been released yet, or no prefix");
    }
    return NoisySum.ofPrefix(round - before, prefix, null, lattice);
  }

  /** The key from which the noise of the next round follows. */
  public NoiseKey key() {
    return key;
  }

  /** The running digest, 32 bytes: inside the trust boundary. */
  public byte[] digest() {
    return digest.clone();
  }

  /** What a restart needs. */
  public ReleaserState state() {
    return view(PagedBytes.PAGE_BYTES).copy();
  }

  /**
   * The same without a copy: its pages are made when they are asked for, which they can be until
   * the next round is released.
   *
   * @param pageBytes about the size of a page
   */
  public ReleaserState view(int pageBytes) {
    return view(pageBytes, present(closedNoise(pageBytes)), PagedBytes.of(new byte[0]));
  }

  private ReleaserState view(int pageBytes, PagedBytes walk, PagedBytes digests) {
    return new ReleaserState(
        round,
        before,
        generation,
        digest.clone(),
        present(prefix.view(pageBytes)),
        walk,
        digests,
        present(window.view(pageBytes)));
  }

  /**
   * A view for whoever keeps states of this history one after the other: a large mechanism's state
   * is given out once in a few rounds.
   *
   * @param pageBytes about the size of a page
   * @param redraw the most rounds whose noise a reader shall draw again, on top of the mechanism's
   *     state that was given out last, or from which this history went on, or of none
   * @param noiseStored whether that state is stored
   */
  public ReleaserState checkpoint(int pageBytes, int redraw, boolean noiseStored) {
    boolean large = queries == null
        && noiseState.state(pageBytes).length() >= (long) Double.BYTES * step.length;
    if (large && redrawn.leadTo(round) && round - redrawn.first() <= redraw) {
      if (noiseStored) {
        return view(pageBytes, null, redrawn.bytes());
      }
      PagedBytes start = prefixes().start().state(pageBytes);
      if (redrawn.first() == 0 && redrawn.isUnder(key.id()) && start.pages() > 0) {
        return view(pageBytes, closedStart(start), redrawn.bytes());
      }
    }
    if (large) {
      redrawn.begin(round, digest, key.id());
    } else if (round > 0 || !redrawn.isUnder(key.id())) {
      redrawn.forget(); // drawing again would cost more than it saves, or is under another key
    }
    return view(pageBytes);
  }

  /** The mechanism's state before the first round: all of its noise is drawn again. */
  private PagedBytes closedStart(PagedBytes start) {
    return SealedPages.close(start, new StateSeal(key, redrawn.digest(0), 1), WALK);
  }

  private PagedBytes present(PagedBytes pages) {
    return new ComputedPages(pages, round, this::round);
  }

  /**
   * Writes a checkpoint of the open round, encrypted, so that whoever stores it cannot read it: the
   * pages of the exact sum that have changed since the last one, none for zeros. Which ones, and
   * how long they are, depends on the records: they stay inside the trust boundary.
   *
   * @param metrics null without metrics
   * @param content the fingerprint of the slots so far
   * @param place what the caller stores beside them in clear; other bytes there make them
   *     unreadable
   * @param table the pages of this round's last checkpoint
   * @param pageBytes about the size of a page
   * @return the head, without which the pages cannot be read; it fits these pages only
   */
  public byte[] seal(
      OpenSum sum,
      ClippedSum metrics,
      byte[] content,
      byte[] place,
      PageTable table,
      int pageBytes) {
    if (sealed == null || !sealed.isOf(pageBytes)) {
      sealed = SealedRoundSum.start(
          new StateSeal(key, digest, round + 1), sum.numbers().length, pageBytes, table);
    }
    return sealed.write(sum, metrics, content, place, table);
  }

  /**
   * Fills sums from a checkpoint of the same round and place; refuses any other, and pages that are
   * not all of it. The round goes on under the key that sealed it.
   *
   * @param head what {@link #seal} gave
   * @return the fingerprint of the slots
   */
  public byte[] unseal(
      byte[] head, byte[] place, PageTable table, OpenSum sum, ClippedSum metrics) {
    String sealedBy = StateSeal.keyId(head);
    if (!key.holds(sealedBy)) {
      throw new StateSeal(key, digest, round + 1).damaged(null);
    }
    use(key.ofId(sealedBy));
    SealedRoundSum.Opened opened = SealedRoundSum.read(
        new StateSeal(key, digest, round + 1), head, place, table, sum, metrics);
    sealed = opened.round();
    return opened.content();
  }
}
