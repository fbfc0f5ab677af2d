package dev.sotto.learner.release;

import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.mechanism.PagedBytes;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * How exact sums become noisy ones: as prefixes of rounds, or as answers of single queries. It is
 * chosen with the mechanism, when a {@link Releaser} is made.
 */
interface NoiseRelease {
  /**
   * A moment of the history.
   *
   * @param round rounds released so far; of a release, with its own
   * @param digest the running digest
   * @param key in force
   * @param latest rounds released when it is asked: what was made before is of no use any more
   */
  record Moment(long round, byte[] digest, NoiseKey key, LongSupplier latest) {
    /** Pages that can be read until the next round is released. */
    PagedBytes present(PagedBytes pages) {
      return new ComputedPages(pages, round, latest);
    }
  }

  /**
   * Refuses what is not the next query of this history, whole.
   *
   * @throws IllegalStateException where it is not next
   * @throws IllegalArgumentException where it is of another kind
   */
  void check(FullQuery asked);

  /** The exact vectors that the running digest covers, before the points. */
  List<double[]> vectors(FullQuery asked);

  /**
   * Adds noise, and gives out what is noisy: a view, good until the next call; empty for a query
   * that only reads.
   */
  Optional<NoisySum> answer(FullQuery asked, Moment now);

  /** From the next round on, what is new follows from this key. */
  void use(NoiseKey key);

  /** The noisy prefix as it stands; empty where there is none. */
  Optional<NoisySum> latest(long round);

  /** Goes on inside a round, some of whose queries were answered before. */
  void resumeRound(long answered);

  /** The metrics of the open window. */
  MetricsWindow metrics();

  /** Views of all that a restart needs. */
  ReleaserState state(Moment now, int pageBytes);

  /** {@link Releaser#checkpoint}. */
  ReleaserState checkpoint(Moment now, int pageBytes, int redraw, boolean noiseStored);

  /** Leaves large arrays to the next run of this thread. */
  void recycle();
}
