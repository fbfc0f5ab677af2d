package dev.sotto.learner.mechanism;

import dev.sotto.learner.description.Section;
import dev.sotto.learner.participation.ContributionBound;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A mechanism that belongs to an algorithm and comes with it: what its queries are answered carries
 * noise, and not prefixes of rounds. Where slots enter sums whole, the noise is scaled so that one
 * participation, in whatever slot, costs {@code s / sigma}: {@link #sensitivity(long)} is 1.
 */
public abstract sealed class QueryMechanism extends Mechanism
    permits AnswerNoise, MomentumTree, WindowTree {
  QueryMechanism() {}

  /** What is done with each kind of noise. */
  public interface Kinds<T> {
    /** Every query has noise of its own. */
    T answers(AnswerNoise noise);

    /** Nodes of a tree of decayed sums have noise. */
    T decayedSums(MomentumTree tree);

    /** Nodes of trees that windows read have noise. */
    T windows(WindowTree tree);
  }

  /** What is done with this kind. */
  public abstract <T> T kind(Kinds<T> kinds);

  @Override
  public final Optional<PrefixMechanism> ofPrefixes() {
    return Optional.empty();
  }

  @Override
  public final Optional<QueryMechanism> ofQueries() {
    return Optional.of(this);
  }

  @Override
  public double sensitivity(long rounds) {
    return 1;
  }

  @Override
  public double sensitivityLimit() {
    return 1;
  }

  @Override
  public double sensitivity(long rounds, ContributionBound bound) {
    return sensitivity(rounds) * Math.sqrt(bound.within(rounds));
  }

  @Override
  public double sensitivityLimit(ContributionBound bound) {
    return bound.most() == Long.MAX_VALUE
        ? Double.POSITIVE_INFINITY
        : sensitivityLimit() * Math.sqrt(bound.most());
  }

  /** The number by which sigma is multiplied for the smallest noise that it ever adds. */
  public abstract double leastNoise();

  /** The same for the largest of what answers are made of. */
  public abstract double largestNoise();

  /** That of one query in a round: what any of them costs. */
  public static QueryMechanism ofOneQuery() {
    return new QueryNoise(QuerySchedule.onePass(1, 1));
  }

  /** The same, where no unit's own budget can follow what it costs: that of sampled queries. */
  public static QueryMechanism ofOneSampledQuery() {
    return new QueryNoise(QuerySchedule.onePass(1, 1), false);
  }

  /** Fresh noise on every query of a block, sampled or not. */
  public static QueryMechanism ofQueries(QuerySchedule schedule) {
    return schedule.sampling().isSecret()
        ? new SampledQueryNoise(schedule)
        : new QueryNoise(schedule);
  }

  /**
   * Whether it is the mechanism of an algorithm with these queries.
   *
   * @param block empty where each round, of any size, is one query
   */
  public abstract boolean fits(Optional<QuerySchedule> block);

  /** Queries of a round: of a block, or one where every round is one. */
  public abstract long queries();

  /** Whether it goes on from round to round, and does not begin anew with every block. */
  public boolean isEndless() {
    return false;
  }

  /** The noise of each query, where every one that is answered has noise of its own. */
  public Optional<AnswerNoise> answers() {
    return Optional.empty();
  }

  /**
   * Where slots move a point, one after the other, and are not added up: then their order matters,
   * and there are no sums of parts.
   */
  public Optional<OrderedNoise> ordered() {
    return Optional.empty();
  }

  /** The same for another number of weights, where what it charges depends on that. */
  public QueryMechanism ofDimension(int dimension) {
    return this;
  }

  /**
   * The same on any lattice of any number of coordinates, where what it charges depends on that.
   */
  public QueryMechanism ofAnyLattice() {
    return this;
  }

  /** What there is to know of its noise in a plan, beside that of each query. */
  public Section describe(PlanFigures plan) {
    return Section.untitled();
  }

  /** The same of a tree. */
  static Section describeTree() {
    return Section.untitled()
        .sentence("The answers enter a tree: this is the noise of one node of it, and the"
            + " algorithm adds up several. Steps of one length follow the direction of the sum"
            + " alone.");
  }

  /** What {@link #audits} can check, for messages. */
  public static final String AUDITED =
      "prefixes of rounds, queries of blocks, averages of paths, decayed sums and windows of up to "
          + WindowRows.MOST_QUERIES + " queries in a block";

  /** What answers are by their definition; only where it {@link #audits}. */
  public abstract AnswerRows answerRows();

  /**
   * The smallest sigma, in units of the clip, whose lattice is fine enough to see what one slot
   * moves.
   */
  public double quietest() {
    return 0x1p-14;
  }

  /**
   * The variance of the noise of the sum after a round, for a sigma of 1, as a closed form; empty
   * where it does not go on from round to round.
   */
  public OptionalDouble runningVariance(long round) {
    return OptionalDouble.empty();
  }

  /**
   * What the mean of an answer is divided by.
   *
   * @param slots how many it is expected to be of
   */
  public double divisor(double slots) {
    return slots;
  }

  /** Whether {@link #describe} says of each query what there is to know of its noise. */
  public boolean describesQueries() {
    return false;
  }

  /** How often slots of a round are read, in the mean. */
  public abstract double passes();

  /** What a query is called: a query of a block, or another word for it. */
  public String noun() {
    return "query";
  }

  /** {@link #noun} of several. */
  public String nouns() {
    return "queries";
  }

  @Override
  public String noised() {
    return isEndless() ? "a round's sum" : "a sum, were a block one query";
  }

  /** Such as {@code blocks of 8184 slots, 4000 queries each, 400 passes}. */
  @Override
  public String rounds(long slots) {
    return isEndless()
        ? super.rounds(slots)
        : "blocks of " + slots + " slots, " + queries() + " " + (queries() == 1 ? noun() : nouns())
            + " each, " + passes(passes())
            + answers().map(each -> each.schedule().sampling().text()).orElse("");
  }

  private static String passes(double passes) {
    String format = passes == Math.rint(passes) ? "%.0f" : "%.1f";
    return passes == 1 ? "1 pass" : String.format(Locale.ROOT, format, passes) + " passes";
  }

  /** None: the answers that it receives are part of the algorithm's own state. */
  @Override
  public final long sumBytes(long dimension) {
    return 0;
  }

  @Override
  public final long redrawnBytes(long dimension, long rounds) {
    return 0;
  }

  /** Nothing, where every answer has noise of its own. */
  @Override
  public long stateBytes(long dimension, long rounds) {
    return 0;
  }

  /** Of a tree as many nodes as leaves have binary digits, open and complete. */
  static long treeBytes(long dimension, long leaves) {
    return 2L * (Long.SIZE - Long.numberOfLeadingZeros(leaves)) * Double.BYTES * dimension;
  }
}
