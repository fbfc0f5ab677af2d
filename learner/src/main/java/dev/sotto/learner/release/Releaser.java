package dev.sotto.learner.release;

import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.mechanism.GradientNorm;
import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.mechanism.PagedBytes;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The one way out of this package. It chains the running digest (docs/privacy.md, "Where the noise
 * comes from"), and a {@link NoiseRelease} adds the noise: to prefixes in
 * {@link PrefixSum#addNoisy}, to answers of queries in {@link QueryAnswers}, to metrics in
 * {@link MetricsWindow}. The noise of a round is bound to everything that led there and to the very
 * sum that it hides, so that the same noise can never meet another sum.
 *
 * <p>Promises: the same history gives the same bits; another history, in whatever it differs, gives
 * independent noise from the first difference on.
 */
public final class Releaser {
  /**
   * Changes whenever the same input would give other sums or other noise, or the same noisy counts
   * other ranges: nothing else would notice that a map goes on which is not the published one.
   */
  public static final int SEMANTICS = 4;

  private static final byte[] COUNTS = SealedPages.place("range-counts", 0, 1);

  private final Lattice lattice;
  private final NoiseRelease release;
  private final RunningDigest history;
  private final RoundCheckpoints checkpoints;
  private Optional<double[]> noisyCounts = Optional.empty();

  private Releaser(
      Lattice lattice, byte[] fingerprint, NoiseRelease.Moment now, NoiseRelease release) {
    this.lattice = lattice;
    this.release = release;
    this.history = new RunningDigest(now.key(), fingerprint, now.digest(), now.round());
    this.checkpoints = new RoundCheckpoints(history);
    release.use(now.key());
  }

  private static void checkNoise(Lattice lattice, Mechanism mechanism, double sigma) {
    if (!(sigma >= 0) || sigma == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("sigma must be finite and not negative, but was " + sigma);
    }
    if (mechanism.norm() != lattice.norm() && mechanism.norm() == GradientNorm.L1) {
      throw new IllegalArgumentException("mechanism " + mechanism.name()
          + " hides changes bounded in l1, but the lattice bounds " + lattice.norm());
    }
  }

  /**
   * Refuses a mechanism of an algorithm's own whose sums would not be exact on a lattice.
   *
   * @throws IllegalArgumentException with the rule and the value
   */
  public static void check(Lattice lattice, double sigma, Mechanism mechanism) {
    mechanism.ofQueries().ifPresent(each -> QueryAnswers.check(lattice, sigma, each));
  }

  /** The beginning of a run without metrics. */
  public static Releaser start(
      Lattice lattice,
      Mechanism mechanism,
      double sigma,
      NoiseKey key,
      byte[] runId,
      byte[] fingerprint,
      double[] firstPoint) {
    return start(lattice, mechanism, sigma, Optional.empty(), key, runId, fingerprint, firstPoint);
  }

  /**
   * The beginning of a run.
   *
   * @param sigma standard deviation of the noise per coordinate of the sum; its scale where the
   *     mechanism is pure
   * @param metering of metrics; empty for none
   * @param runId 16 bytes, from {@link NoiseKey#runId}
   * @param fingerprint digest of the configuration in force
   * @param firstPoint the weights before the first round
   */
  public static Releaser start(
      Lattice lattice,
      Mechanism mechanism,
      double sigma,
      Optional<MetricsNoise> metering,
      NoiseKey key,
      byte[] runId,
      byte[] fingerprint,
      double[] firstPoint) {
    checkNoise(lattice, mechanism, sigma);
    byte[] first = RunningDigest.first(key, runId, firstPoint);
    NoiseRelease.Moment now = new NoiseRelease.Moment(0, first, key, () -> 0);
    NoiseRelease release = mechanism
        .ofPrefixes()
        .<NoiseRelease>map(each -> PrefixRelease.start(lattice, each, sigma, metering, now))
        .orElseGet(
            () -> QueryRelease.start(lattice, sigma, mechanism.ofQueries().orElseThrow()));
    return new Releaser(lattice, fingerprint, now, release);
  }

  /** Goes on from a state, with the settings of the start, without metrics. */
  public static Releaser resume(
      Lattice lattice,
      Mechanism mechanism,
      double sigma,
      NoiseKey key,
      byte[] fingerprint,
      ReleaserState state) {
    return resume(lattice, mechanism, sigma, Optional.empty(), key, fingerprint, state);
  }

  /** Goes on from a state, with the settings of the start. */
  public static Releaser resume(
      Lattice lattice,
      Mechanism mechanism,
      double sigma,
      Optional<MetricsNoise> metering,
      NoiseKey key,
      byte[] fingerprint,
      ReleaserState state) {
    checkNoise(lattice, mechanism, sigma);
    NoiseRelease.Moment now =
        new NoiseRelease.Moment(state.round(), state.digest().clone(), key, state::round);
    NoiseRelease release = mechanism
        .ofPrefixes()
        .<NoiseRelease>map(each -> PrefixRelease.resume(lattice, each, sigma, metering, key, state))
        .orElseGet(() ->
            QueryRelease.resume(lattice, sigma, mechanism.ofQueries().orElseThrow(), key, state));
    return new Releaser(lattice, fingerprint, now, release);
  }

  /** From the next round on, what is new follows from this key. */
  public void use(NoiseKey newKey) {
    history.use(newKey);
    checkpoints.forget();
    release.use(newKey);
  }

  /** Leaves large arrays to the next run that this thread goes on with; no use afterwards. */
  public void recycle() {
    release.recycle();
    history.end();
  }

  /** Rounds released so far. */
  public long round() {
    return history.round();
  }

  /** {@link #answer} of a round that is one query at one point, without metrics. */
  public NoisySum release(ClippedSum sum, double[] point, byte[] content, int generation) {
    return answer(FullQuery.ofRound(sum, point, content, generation)).orElseThrow();
  }

  /**
   * Adds noise to the exact sums of the next query of a round, forgets them, and gives out what is
   * noisy: the prefix of the generation, or the answer of the query. It is a view, good until the
   * next call. A query that only reads has none: it binds the secret coins of those behind it to
   * the content of the block.
   */
  public Optional<NoisySum> answer(FullQuery asked) {
    checkFull(asked.sum(), lattice);
    release.check(asked);
    checkpoints.forget();
    List<double[]> vectors = release.vectors(asked);
    asked.counts().ifPresent(stage -> vectors.add(stage.counts().sum));
    vectors.addAll(Arrays.asList(asked.points()));
    history.add(asked.place().generation(), asked.content(), vectors);
    NoiseRelease.Moment now = history.at(history.round() + 1);
    Optional<NoisySum> answer = release.answer(asked, now);
    noisyCounts = asked.counts().map(stage -> stage.counts().release(now, stage.number()));
    asked.sum().clear();
    if (asked.place().last()) {
      history.endRound();
    }
    return answer;
  }

  /**
   * The seed of the secret coins of the next query of a block, or of the perturbations of its path:
   * it follows from everything before; of coins, the content of the whole block included.
   */
  public byte[] coinSeed(long query) {
    return history.key().coinSeed(history.value(), query);
  }

  /** Goes on inside a round, some of whose queries were answered before the state was taken. */
  public void resumeRound(long answeredBefore) {
    release.resumeRound(answeredBefore);
  }

  static void checkFull(OpenSum sum, Lattice lattice) {
    if (!sum.lattice().equals(lattice)) {
      throw new IllegalArgumentException(
          "the sum must lie on the lattice " + lattice + ", but lies on " + sum.lattice());
    }
    if (!sum.isFull()) {
      throw new IllegalStateException(
          "a round of " + sum.room() + " slots is released whole, but has " + sum.slots());
    }
  }

  /** The next round begins another window of metrics. */
  public void beginWindow() {
    release.metrics().clear();
  }

  /** The noisy sums of the metrics over the rounds of their window so far; none without metrics. */
  public double[] window() {
    return release.metrics().sums();
  }

  /** The noisy counts of a stage of ranges that ended with the last query; empty elsewhere. */
  public Optional<double[]> counts() {
    return noisyCounts;
  }

  /** Writes the counts of an open stage, encrypted, as they are after the last round. */
  public byte[] seal(RangeCounts counts) {
    return history.seal().close(counts.bytesAtLastRound(), COUNTS);
  }

  /** Fills counts from what {@link #seal(RangeCounts)} wrote after this very round. */
  public void unseal(byte[] closed, RangeCounts counts) {
    String closedBy = StateSeal.keyId(closed);
    if (!key().holds(closedBy)) {
      throw history.seal().damaged(null);
    }
    StateSeal seal = new StateSeal(key().ofId(closedBy), history.value(), history.round() + 1);
    counts.restore(ByteBuffer.wrap(seal.open(closed, COUNTS)));
    counts.endRound();
  }

  /**
   * The noisy prefix as it stands, to compute the weights again after a restart; empty before the
   * first round, and where queries are answered one by one.
   */
  public Optional<NoisySum> latest() {
    return release.latest(history.round());
  }

  /** The key from which the noise of the next round follows. */
  public NoiseKey key() {
    return history.key();
  }

  /** The running digest, 32 bytes: inside the trust boundary. */
  public byte[] digest() {
    return history.value().clone();
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
    return release.state(history.at(history.round()), pageBytes);
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
    return release.checkpoint(history.at(history.round()), pageBytes, redraw, noiseStored);
  }

  /**
   * Writes a checkpoint of the open round, encrypted, so that whoever stores it cannot read it: the
   * pages of the exact sum that have changed since the last one, none for zeros. Which ones, and
   * how long they are, depends on the records: they stay inside the trust boundary.
   *
   * @param metrics empty without metrics
   * @param counts of a stage of ranges; empty without one
   * @param content the fingerprint of the slots so far
   * @param place what the caller stores beside them in clear; other bytes there make them
   *     unreadable
   * @param table the pages of this round's last checkpoint
   * @param pageBytes about the size of a page
   * @return the head, without which the pages cannot be read; it fits these pages only
   */
  public byte[] seal(
      OpenSum sum,
      Optional<ClippedSum> metrics,
      Optional<RangeCounts> counts,
      byte[] content,
      byte[] place,
      PageTable table,
      int pageBytes) {
    return checkpoints.write(sum, metrics, counts, content, place, table, pageBytes);
  }

  /**
   * Fills sums from a checkpoint of the same round and place; refuses any other, and pages that are
   * not all of it. The round goes on under the key that sealed it.
   *
   * @param head what {@link #seal} gave
   * @return the fingerprint of the slots
   */
  public byte[] unseal(
      byte[] head,
      byte[] place,
      PageTable table,
      OpenSum sum,
      Optional<ClippedSum> metrics,
      Optional<RangeCounts> counts) {
    String sealedBy = StateSeal.keyId(head);
    if (!key().holds(sealedBy)) {
      throw history.seal().damaged(null);
    }
    use(key().ofId(sealedBy));
    return checkpoints.read(head, place, table, sum, metrics, counts);
  }
}
