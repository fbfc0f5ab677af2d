package dev.sotto.learner.release;

import dev.sotto.learner.key.KeyedNoise;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.mechanism.NoiseState;
import dev.sotto.learner.mechanism.PagedBytes;
import dev.sotto.learner.mechanism.PrefixMechanism;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Noisy prefixes of rounds, generation by generation, and the metrics of their slots. */
final class PrefixRelease implements NoiseRelease {
  private final Lattice lattice;
  private final PrefixMechanism mechanism;
  private final double sigmaInUnits;
  private final MetricsWindow metrics;
  private final PrefixSum prefix;
  private final RedrawnRounds redrawn;
  private NoiseState noiseState;
  private KeyedNoise noise;
  private long before; // rounds of earlier generations
  private int generation;

  private PrefixRelease(
      Lattice lattice,
      PrefixMechanism mechanism,
      double sigma,
      MetricsWindow metrics,
      PrefixSum prefix,
      RedrawnRounds redrawn) {
    this.lattice = lattice;
    this.mechanism = mechanism;
    this.sigmaInUnits = sigma / lattice.unit();
    this.metrics = metrics;
    this.prefix = prefix;
    this.redrawn = redrawn;
  }

  /** Before the first round. */
  static PrefixRelease start(
      Lattice lattice,
      PrefixMechanism mechanism,
      double sigma,
      Optional<MetricsNoise> metering,
      Moment now) {
    PrefixRelease release = new PrefixRelease(
        lattice,
        mechanism,
        sigma,
        MetricsWindow.start(metering),
        new PrefixSum(lattice.dimension()),
        new RedrawnRounds(lattice.dimension()));
    release.noiseState = mechanism.start();
    release.redrawn.begin(0, now.digest(), now.key().id());
    release.use(now.key());
    return release;
  }

  /** As it was stored. */
  static PrefixRelease resume(
      Lattice lattice,
      PrefixMechanism mechanism,
      double sigma,
      Optional<MetricsNoise> metering,
      NoiseKey key,
      ReleaserState from) {
    PrefixRelease release = new PrefixRelease(
        lattice,
        mechanism,
        sigma,
        MetricsWindow.resume(metering, from.window()),
        PrefixSum.of(from.prefix(), lattice.dimension()),
        RedrawnRounds.of(from.redrawn(), from.round(), from.digest(), lattice.dimension()));
    release.before = from.before();
    release.generation = from.generation();
    release.use(key);
    release.resumeNoise(from, SealedNoise.keyOf(from.noise(), key));
    return release;
  }

  private void resumeNoise(ReleaserState from, NoiseKey drawnUnder) {
    long first = redrawn.first();
    noiseState =
        mechanism.resume(SealedNoise.open(from.noise(), drawnUnder, redrawn.digest(first), first));
    long round = from.round();
    if (from.noise().pages() > 0) {
      drawAgain(round, drawnUnder);
      return;
    }
    if (first < round) {
      throw new IllegalArgumentException("the noise of the rounds from " + first + " to " + round
          + " cannot be drawn again: what they follow is missing");
    }
    redrawn.forget();
  }

  /** Brings the mechanism's state to the round of the sums that were stored beside it. */
  private void drawAgain(long round, NoiseKey drawnUnder) {
    redrawn.drawnUnder(drawnUnder.id());
    KeyedNoise drawn = new KeyedNoise(drawnUnder, sigmaInUnits);
    for (long next = redrawn.first() + 1; next <= round; next++) {
      noiseState.pass(next - before, redrawn.digest(next), drawn, prefix.beginRound());
    }
  }

  @Override
  public void use(NoiseKey key) {
    noise = new KeyedNoise(key, sigmaInUnits);
  }

  @Override
  public void check(FullQuery asked) {
    if (!(asked.sum() instanceof ClippedSum sum) || sum.points() > 1) {
      throw new IllegalStateException(mechanism.name() + " releases prefixes of sums alone");
    }
    if (sum.room() != lattice.batch()) {
      throw new IllegalArgumentException(
          "a round has " + lattice.batch() + " slots, but the sum was opened for " + sum.room());
    }
    if (asked.place().number() != 1 || !asked.place().last()) {
      throw new IllegalStateException(
          mechanism.name() + " releases prefixes, and no answers of queries");
    }
    metrics.check(asked.metrics());
    if (asked.place().generation() < generation) {
      throw new IllegalArgumentException(
          "generation " + asked.place().generation() + " cannot follow generation " + generation);
    }
  }

  @Override
  public List<double[]> vectors(FullQuery asked) {
    List<double[]> vectors = new ArrayList<>();
    vectors.add(asked.sum().numbers());
    MetricsWindow.addTo(vectors, asked.metrics());
    return vectors;
  }

  @Override
  public Optional<NoisySum> answer(FullQuery asked, Moment now) {
    if (asked.place().generation() > generation) {
      restart(asked.place().generation(), now.round() - 1);
    }
    double[] sum = asked.sum().numbers();
    noiseState.advance(
        now.round() - before,
        now.digest(),
        noise,
        prefix.beginRound(),
        (from, to) -> prefix.addNoisy(sum, lattice.unit(), from, to));
    redrawn.released(now.digest(), now.key().id());
    metrics.add(asked.metrics(), now);
    return Optional.of(
        NoisySum.ofPrefix(now.round() - before, prefix, prefix.lastRound(), lattice));
  }

  /** Another generation: another prefix under fresh noise; the running digest goes on. */
  private void restart(int next, long closed) {
    generation = next;
    before = closed;
    prefix.clear();
    noiseState = mechanism.start();
    redrawn.forget();
  }

  @Override
  public Optional<NoisySum> latest(long round) {
    return round == 0
        ? Optional.empty()
        : Optional.of(NoisySum.ofPrefix(round - before, prefix, null, lattice));
  }

  @Override
  public void resumeRound(long answered) {
    if (answered != 0) {
      throw new IllegalArgumentException(
          "a round is one query, but " + answered + " were answered");
    }
  }

  @Override
  public MetricsWindow metrics() {
    return metrics;
  }

  @Override
  public ReleaserState state(Moment now, int pageBytes) {
    PagedBytes whole =
        SealedNoise.close(noiseState.state(pageBytes), now.key(), now.digest(), now.round());
    return state(now, pageBytes, now.present(whole), PagedBytes.of(new byte[0]));
  }

  private ReleaserState state(Moment now, int pageBytes, PagedBytes sealed, PagedBytes digests) {
    return new ReleaserState(
        now.round(),
        before,
        generation,
        now.digest().clone(),
        now.present(prefix.view(pageBytes)),
        sealed,
        digests,
        now.present(metrics.view(pageBytes)));
  }

  /**
   * The noise is given out whole, unless it is large and can be drawn again: then only the digests
   * are, on top of noise that is stored already, or of that of the beginning.
   */
  @Override
  public ReleaserState checkpoint(Moment now, int pageBytes, int redraw, boolean noiseStored) {
    if (!isLarge(pageBytes)) {
      if (now.round() > 0 || !redrawn.isUnder(now.key().id())) {
        redrawn.forget(); // drawing again would cost more than it saves, or is under another key
      }
      return state(now, pageBytes);
    }
    if (redrawn.leadTo(now.round()) && now.round() - redrawn.first() <= redraw) {
      if (noiseStored) {
        return state(now, pageBytes, null, redrawn.bytes());
      }
      Optional<PagedBytes> beginning = ofBeginning(now, pageBytes);
      if (beginning.isPresent()) {
        return state(now, pageBytes, beginning.get(), redrawn.bytes());
      }
    }
    redrawn.begin(now.round(), now.digest(), now.key().id());
    return state(now, pageBytes);
  }

  private boolean isLarge(int pageBytes) {
    return noiseState.state(pageBytes).length() >= (long) Double.BYTES * lattice.dimension();
  }

  /** The mechanism's state before the first round, where all of its noise can be drawn again. */
  private Optional<PagedBytes> ofBeginning(Moment now, int pageBytes) {
    PagedBytes start = mechanism.start().state(pageBytes);
    return redrawn.first() == 0 && redrawn.isUnder(now.key().id()) && start.pages() > 0
        ? Optional.of(SealedNoise.close(start, now.key(), redrawn.digest(0), 0))
        : Optional.empty();
  }

  @Override
  public void recycle() {
    noiseState.recycle();
    prefix.recycle();
  }
}
