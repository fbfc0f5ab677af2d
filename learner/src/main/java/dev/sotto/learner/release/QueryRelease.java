package dev.sotto.learner.release;

import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.mechanism.PagedBytes;
import dev.sotto.learner.mechanism.QueryMechanism;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Noisy answers of the queries of a block, one after the other. */
final class QueryRelease implements NoiseRelease {
  private static final PagedBytes NOTHING = PagedBytes.of(new byte[0]);

  private final QueryMechanism mechanism;
  private final QueryAnswers answers;
  private final MetricsWindow metrics = MetricsWindow.start(Optional.empty());
  private long answered; // queries of the open block

  private QueryRelease(QueryMechanism mechanism, QueryAnswers answers) {
    this.mechanism = mechanism;
    this.answers = answers;
  }

  /** Before the first round. */
  static QueryRelease start(Lattice lattice, double sigma, QueryMechanism mechanism) {
    return new QueryRelease(
        mechanism, QueryAnswers.of(lattice, sigma, mechanism, Optional.empty()));
  }

  /** As it was stored. */
  static QueryRelease resume(
      Lattice lattice, double sigma, QueryMechanism mechanism, NoiseKey key, ReleaserState from) {
    NoiseKey closedUnder = SealedNoise.keyOf(from.noise(), key);
    PagedBytes state = SealedNoise.open(from.noise(), closedUnder, from.digest(), from.round());
    return new QueryRelease(
        mechanism, QueryAnswers.of(lattice, sigma, mechanism, Optional.of(state)));
  }

  /** Every query of a block is answered once, in turn: nothing else is paid for. */
  @Override
  public void check(FullQuery asked) {
    long query = asked.place().number();
    boolean last = asked.place().last();
    if (query != answered + 1 || last != (query == mechanism.queries())) {
      throw new IllegalStateException("query " + (answered + 1) + " of " + mechanism.queries()
          + " is next, but was " + query + (last ? ", the last" : ""));
    }
    answers.check(asked.sum(), query);
    metrics.check(asked.metrics());
  }

  @Override
  public List<double[]> vectors(FullQuery asked) {
    List<double[]> vectors = new ArrayList<>();
    vectors.add(new double[] {asked.place().number(), asked.sum().room()});
    vectors.add(asked.sum().numbers());
    if (asked.sum() instanceof PathSum path) {
      vectors.add(path.start());
    }
    return vectors;
  }

  @Override
  public Optional<NoisySum> answer(FullQuery asked, Moment now) {
    long query = asked.place().number();
    Optional<NoisySum> answer = answers.answer(asked.sum(), query, now);
    answered = asked.place().last() ? 0 : query;
    return answer;
  }

  @Override
  public void use(NoiseKey key) {} // each answer is drawn under the key of its moment

  @Override
  public Optional<NoisySum> latest(long round) {
    return Optional.empty();
  }

  @Override
  public void resumeRound(long queries) {
    answered = queries;
  }

  @Override
  public MetricsWindow metrics() {
    return metrics;
  }

  @Override
  public ReleaserState state(Moment now, int pageBytes) {
    PagedBytes noise =
        SealedNoise.close(answers.state(pageBytes), now.key(), now.digest(), now.round());
    return new ReleaserState(
        now.round(), 0, 0, now.digest().clone(), NOTHING, now.present(noise), NOTHING, NOTHING);
  }

  /** Whole: nothing of it is drawn again. */
  @Override
  public ReleaserState checkpoint(Moment now, int pageBytes, int redraw, boolean noiseStored) {
    return state(now, pageBytes);
  }

  @Override
  public void recycle() {}
}
