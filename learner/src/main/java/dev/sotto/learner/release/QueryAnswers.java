package dev.sotto.learner.release;

import dev.sotto.learner.key.KeyedNoise;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.mechanism.AnswerNoise;
import dev.sotto.learner.mechanism.MomentumTree;
import dev.sotto.learner.mechanism.PagedBytes;
import dev.sotto.learner.mechanism.QueryMechanism;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.mechanism.WindowTree;
import java.util.Arrays;
import java.util.Optional;

/**
 * The part of a {@link Releaser} that answers the queries of a block under a mechanism of an
 * algorithm's own: which query is next, and its noise.
 */
final class QueryAnswers {
  private static final String QUERY = "query";
  private static final String AVERAGE = "path-average";
  private static final String POINT = "query-point";

  private final Lattice lattice;
  private final double sigma;
  private final QueryMechanism mechanism;
  private final AnswerNoise noise; // null where the mechanism is a tree
  private final QuerySchedule schedule; // of that noise
  private final TreeSum tree; // null without one
  private final long[] step;
  private long answered; // queries of the open block

  /** What the noise of a query is bound to. */
  private record Place(long query, long round, byte[] digest, NoiseKey key) {}

  /**
   * Those of a run.
   *
   * @param sigma standard deviation of the noise per coordinate of the sum
   * @param state of the mechanism; empty at the start
   */
  QueryAnswers(
      Lattice lattice, double sigma, QueryMechanism mechanism, Optional<PagedBytes> state) {
    this.lattice = lattice;
    this.sigma = sigma;
    this.mechanism = mechanism;
    this.noise = mechanism.answers().orElse(null);
    this.schedule = noise == null ? null : noise.schedule();
    this.tree = tree(lattice, sigma, mechanism, state);
    int points = schedule == null ? 1 : schedule.sampling().points();
    this.step = new long[Math.multiplyExact(lattice.dimension(), points)];
  }

  /** The tree of a mechanism that has one; else null. */
  static TreeSum tree(
      Lattice lattice, double sigma, QueryMechanism mechanism, Optional<PagedBytes> state) {
    return mechanism.kind(new QueryMechanism.Kinds<TreeSum>() {
      @Override
      public TreeSum answers(AnswerNoise noise) {
        return null;
      }

      @Override
      public TreeSum decayedSums(MomentumTree tree) {
        return state
            .map(each -> new DecayedTreeSum(lattice, sigma, tree, each))
            .orElseGet(() -> new DecayedTreeSum(lattice, sigma, tree));
      }

      @Override
      public TreeSum windows(WindowTree tree) {
        return state
            .map(each -> new WindowSum(lattice, sigma, tree, each))
            .orElseGet(() -> new WindowSum(lattice, sigma, tree));
      }
    });
  }

  /** What the mechanism remembers; empty where each answer has noise of its own. */
  PagedBytes state(int pageBytes) {
    return tree == null ? PagedBytes.of(new byte[0]) : tree.state(pageBytes);
  }

  /** So many queries of the open block have been answered. */
  void answered(long queries) {
    answered = queries;
  }

  /** Every query of a block is answered once, in turn: nothing else is paid for. */
  void check(OpenSum open, long query, boolean last) {
    if (query != answered + 1 || last != (query == mechanism.queries())) {
      throw new IllegalStateException("query " + (answered + 1) + " of "
          + mechanism.queries() + " is next, but was " + query
          + (last ? ", the last" : ""));
    }
    if (schedule != null && schedule.query(query).slots() != open.room()) {
      throw new IllegalStateException("query " + query + " has "
          + schedule.query(query).slots() + " slots, but was asked of " + open.room());
    }
    if (open instanceof PathSum path) {
      checkPath(path, query);
    } else {
      checkSum((ClippedSum) open);
    }
  }

  /** A path has kept to the numbers of its mechanism: those of another promise nothing. */
  private void checkPath(PathSum path, long query) {
    boolean same = path.mechanism().name().equals(mechanism.name())
        && path.mechanism().parameters().equals(mechanism.parameters());
    if (!same || path.query() != query) {
      throw new IllegalStateException("query " + query + " of " + mechanism.name() + " "
          + mechanism.parameters() + " is next, but was asked of a path of query " + path.query()
          + " of " + path.mechanism().name() + " " + path.mechanism().parameters());
    }
  }

  private void checkSum(ClippedSum sum) {
    if (mechanism.ordered().isPresent()) {
      throw new IllegalStateException(mechanism.name() + " takes paths, and no sums");
    }
    int groups = schedule == null ? 1 : schedule.groups();
    int points = schedule == null ? 1 : schedule.sampling().points();
    if (sum.groups() != groups || sum.points() != points) {
      throw new IllegalStateException("the queries have " + groups + " groups of slots and "
          + points + " points, but the sum has " + sum.groups() + " and " + sum.points());
    }
  }

  /**
   * The answer of a query, or null where it only reads.
   *
   * @param round of the block
   * @param digest the running digest after the sum of the query
   */
  NoisySum answer(OpenSum open, long query, long round, byte[] digest, NoiseKey key) {
    Place place = new Place(query, round, digest, key);
    if (open instanceof PathSum path) {
      return average(path, place);
    }
    ClippedSum sum = (ClippedSum) open;
    if (tree != null) {
      return leaf(sum, place);
    }
    return schedule.answers(query) ? fresh(sum, place) : null;
  }

  /** The noisy average of a path's points, on a lattice of its own. */
  private NoisySum average(PathSum path, Place place) {
    double unit = PathLattice.unit(lattice, sigma, path.mechanism(), place.query);
    Arrays.fill(step, 0);
    double ofNoise = sigma * path.mechanism().noise(place.query) / unit;
    new KeyedNoise(place.key, ofNoise).add(place.digest, AVERAGE, place.query, 1, step);
    path.addAverage(1 / unit, step);
    return NoisySum.ofQuery(place.round, step, unit, 1);
  }

  private NoisySum fresh(ClippedSum sum, Place place) {
    Arrays.fill(step, 0);
    double ofNoise = sigma / lattice.unit() * noise.noise(place.query);
    addNoise(place, new KeyedNoise(place.key, ofNoise));
    double perUnit = 1 / lattice.unit(); // a power of two: exact
    double[] exact = sum.released();
    for (int i = 0; i < step.length; i++) {
      step[i] += (long) (exact[i] * perUnit); // below 2^53 and 2^52: no overflow
    }
    double rate = schedule.sampling().rate();
    return NoisySum.ofQuery(place.round, step, lattice.unit(), rate * (sum.room() / sum.groups()));
  }

  /** Every vector of a query has an address of its own. */
  private void addNoise(Place place, KeyedNoise drawn) {
    int points = schedule.sampling().points();
    if (points == 1) {
      drawn.add(place.digest, QUERY, place.query, 1, step);
      return;
    }
    long[] vector = new long[lattice.dimension()];
    for (int point = 0; point < points; point++) {
      Arrays.fill(vector, 0);
      drawn.add(place.digest, POINT, (place.query - 1) * points + point, 1, vector);
      System.arraycopy(vector, 0, step, point * vector.length, vector.length);
    }
  }

  private NoisySum leaf(ClippedSum sum, Place place) {
    if (place.query == 1 && !mechanism.isEndless()) {
      tree.restart();
    }
    tree.take(sum.sum, place.digest, place.key);
    return NoisySum.ofTree(place.round, tree, lattice.unit(), sum.room());
  }
}
