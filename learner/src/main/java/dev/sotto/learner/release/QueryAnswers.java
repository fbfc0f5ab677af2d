package dev.sotto.learner.release;

import dev.sotto.learner.mechanism.AnswerNoise;
import dev.sotto.learner.mechanism.MomentumTree;
import dev.sotto.learner.mechanism.PagedBytes;
import dev.sotto.learner.mechanism.QueryMechanism;
import dev.sotto.learner.mechanism.WindowTree;
import java.util.Optional;

/** What queries are answered, by the kind of their noise. */
abstract class QueryAnswers {
  /**
   * Those of a run.
   *
   * @param sigma standard deviation of the noise per coordinate of the sum
   * @param state of the mechanism; empty at the start
   */
  static QueryAnswers of(
      Lattice lattice, double sigma, QueryMechanism mechanism, Optional<PagedBytes> state) {
    return mechanism.kind(new QueryMechanism.Kinds<QueryAnswers>() {
      @Override
      public QueryAnswers answers(AnswerNoise noise) {
        return noise
            .ordered()
            .<QueryAnswers>map(each -> new PathAnswers(lattice, sigma, each))
            .orElseGet(() -> new SumAnswers(lattice, sigma, noise));
      }

      @Override
      public QueryAnswers decayedSums(MomentumTree tree) {
        return new TreeAnswers(
            lattice,
            state
                .map(each -> new DecayedTreeSum(lattice, sigma, tree, each))
                .orElseGet(() -> new DecayedTreeSum(lattice, sigma, tree)),
            tree.isEndless());
      }

      @Override
      public QueryAnswers windows(WindowTree tree) {
        return new TreeAnswers(
            lattice,
            state
                .map(each -> new WindowSum(lattice, sigma, tree, each))
                .orElseGet(() -> new WindowSum(lattice, sigma, tree)),
            false);
      }
    });
  }

  /**
   * Refuses noise whose sums or averages would not be exact on a lattice.
   *
   * @throws IllegalArgumentException with the rule and the value
   */
  static void check(Lattice lattice, double sigma, QueryMechanism mechanism) {
    if (mechanism.answers().isEmpty()) {
      of(lattice, sigma, mechanism, Optional.empty());
    }
    mechanism.ordered().ifPresent(noise -> PathLattice.check(lattice, sigma, noise));
  }

  /**
   * Refuses a sum that is not that of a query.
   *
   * @throws IllegalStateException with the rule
   */
  abstract void check(OpenSum sum, long query);

  /**
   * The answer of a query; empty where it only reads.
   *
   * @param now with the running digest after the sum of the query
   */
  abstract Optional<NoisySum> answer(OpenSum sum, long query, NoiseRelease.Moment now);

  /** What the mechanism remembers; empty where each answer has noise of its own. */
  PagedBytes state(int pageBytes) {
    return PagedBytes.of(new byte[0]);
  }

  static void checkSlots(AnswerNoise noise, OpenSum sum, long query) {
    long slots = noise.schedule().query(query).slots();
    if (slots != sum.room()) {
      throw new IllegalStateException(
          "query " + query + " has " + slots + " slots, but was asked of " + sum.room());
    }
  }

  static void checkSum(OpenSum sum, int groups, int points) {
    if (!(sum instanceof GradientSum gradients)) {
      throw new IllegalStateException("the queries take sums, and no paths");
    }
    if (gradients.groups() != groups || gradients.points() != points) {
      throw new IllegalStateException(
          "the queries have " + groups + " groups of slots and " + points
              + " points, but the sum has " + gradients.groups() + " and " + gradients.points());
    }
  }
}
