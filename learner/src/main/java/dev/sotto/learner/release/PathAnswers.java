package dev.sotto.learner.release;

import dev.sotto.learner.key.KeyedNoise;
import dev.sotto.learner.mechanism.OrderedNoise;
import java.util.Arrays;
import java.util.Optional;

/** Averages of the points of paths, each under noise of its own on a lattice of its own. */
final class PathAnswers extends QueryAnswers {
  private static final String AVERAGE = "path-average";

  private final Lattice lattice;
  private final double sigma;
  private final OrderedNoise noise;
  private final long[] step;

  PathAnswers(Lattice lattice, double sigma, OrderedNoise noise) {
    this.lattice = lattice;
    this.sigma = sigma;
    this.noise = noise;
    this.step = new long[lattice.dimension()];
  }

  /** A path has kept to the numbers of its mechanism: those of another promise nothing. */
  @Override
  void check(OpenSum sum, long query) {
    if (!(sum instanceof PathSum path)) {
      throw new IllegalStateException(noise.name() + " takes paths, and no sums");
    }
    checkSlots(noise, sum, query);
    boolean same = path.mechanism().name().equals(noise.name())
        && path.mechanism().parameters().equals(noise.parameters());
    if (!same || path.query() != query) {
      throw new IllegalStateException("query " + query + " of " + noise.name() + " "
          + noise.parameters() + " is next, but was asked of a path of query " + path.query()
          + " of " + path.mechanism().name() + " " + path.mechanism().parameters());
    }
  }

  @Override
  Optional<NoisySum> answer(OpenSum open, long query, NoiseRelease.Moment now) {
    double unit = PathLattice.unit(lattice, sigma, noise, query);
    Arrays.fill(step, 0);
    double ofNoise = sigma * noise.noise(query) / unit;
    new KeyedNoise(now.key(), ofNoise).add(now.digest(), AVERAGE, query, 1, step);
    ((PathSum) open).addAverage(1 / unit, step);
    return Optional.of(NoisySum.ofQuery(now.round(), step, unit, 1));
  }
}
