package dev.sotto.learner.mechanism;

import java.util.Optional;
import java.util.List;

/**
 * Which slots of a block each of its queries reads, and with how much noise: public numbers, fixed
 * before the block begins. Queries count from 1, slots of a block from 0.
 *
 * @param segments in the order in which they are worked at
 * @param groups odd; the slots of a query are cut into as many groups by position, and the answer
 *     is the noisy median of their sums, coordinate by coordinate. 1: the sum of all of them
 * @param sampling at how many points each query asks, and which slots enter the sum of each
 */
public record QuerySchedule(List<Segment> segments, int groups, Sampling sampling) {
  /** Queries that are answered with sums of all their slots at one point. */
  public QuerySchedule(List<Segment> segments) {
    this(segments, 1);
  }

  /** Queries at one point, whose slots are all summed. */
  public QuerySchedule(List<Segment> segments, int groups) {
    this(segments, groups, Sampling.NONE);
  }

  /**
   * What one query asks. An answer has points times d numbers, point after point; each point has a
   * sum and a noise of its own.
   *
   * @param points vectors that one query asks, at least 1
   * @param rate above 0 and at most 1: the probability with which a slot enters the sum of a point,
   *     by a secret coin of its own for every slot, point and query. 1: every slot, without coins
   */
  public record Sampling(int points, double rate) {
    /** One point, and every slot. */
    public static final Sampling NONE = new Sampling(1, 1);

    public Sampling {
      if (points < 1) {
        throw new IllegalArgumentException("points must be at least 1, but were " + points);
      }
      if (!(rate > 0 && rate <= 1)) {
        throw new IllegalArgumentException("rate must be above 0 and at most 1, but was " + rate);
      }
    }

    /** Whether slots are left out by secret coins. */
    public boolean isSecret() {
      return rate < 1;
    }

    /** It in words behind a block's queries; empty for {@link #NONE}. */
    String text() {
      return (points == 1 ? "" : ", " + points + " points a query")
          + (isSecret() ? ", each slot in a sum with a secret probability of " + rate : "");
    }
  }

  /**
   * Some passes over a range of consecutive slots. A pass is one query after another, each over the
   * next batch.
   *
   * @param first slot of the range
   * @param slots of the range, a multiple of the batches
   * @param batches of a pass
   * @param repeats queries in a row over the same batch, before the next one
   * @param passes over the range
   * @param noise standard deviation of the noise of one query, relative to other segments';
   *     infinite where its queries read slots and are not answered ({@link #answers})
   */
  public record Segment(
      long first, long slots, long batches, long repeats, long passes, double noise) {
    /** The noise of queries that are not answered. */
    static final double UNANSWERED = Double.POSITIVE_INFINITY;

    public Segment {
      ScheduleRules.checkRange(first, slots, batches, repeats, passes);
      ScheduleRules.checkNoise(noise);
      if (noise == UNANSWERED) {
        ScheduleRules.checkReadsOnce(first, batches, repeats, passes);
      }
    }

    /**
     * Reads all slots of a block once and answers nothing, so that what follows can depend on the
     * content of the whole block: the coins of queries with secret sampling do.
     */
    public static Segment reading(long slots) {
      return new Segment(0, slots, 1, 1, 1, UNANSWERED);
    }

    /** All slots in one batch, once in each pass. */
    public static Segment whole(long first, long slots, long passes, double noise) {
      return new Segment(first, slots, 1, 1, passes, noise);
    }

    /** Whether its queries are answered; false where they only read. */
    public boolean answers() {
      return noise != UNANSWERED;
    }

    long queries() {
      return Math.multiplyExact(Math.multiplyExact(batches, repeats), passes);
    }

    long end() {
      return first + slots;
    }
  }

  /**
   * What one query reads.
   *
   * @param first slot
   * @param slots how many
   * @param segment its place in the schedule, from 0
   * @param pass of the segment, from 0
   */
  public record Query(long first, long slots, int segment, long pass) {
    /** The slot behind the last. */
    public long end() {
      return first + slots;
    }
  }

  public QuerySchedule {
    segments = List.copyOf(segments);
    ScheduleRules.checkOrder(segments, groups);
    ScheduleRules.checkSampling(segments, groups, sampling);
  }

  /** All slots of a block in one query each, with equal noise: one pass. */
  public static QuerySchedule onePass(long batches, long batch) {
    return new QuerySchedule(
        List.of(new Segment(0, Math.multiplyExact(batches, batch), batches, 1, 1, 1)));
  }

  /** The same, answered with medians of the sums of groups. */
  public QuerySchedule inGroups(int number) {
    return new QuerySchedule(segments, number, sampling);
  }

  /** The same segments and groups, at points of choice. */
  public QuerySchedule withSampling(Sampling other) {
    return new QuerySchedule(segments, groups, other);
  }

  /**
   * Queries that read a whole block each, at several points, behind one that only reads where slots
   * are sampled.
   *
   * @param queries with answers, at least 1
   */
  public static QuerySchedule sampled(long slots, long queries, Sampling sampling) {
    Segment answered = Segment.whole(0, slots, queries, 1);
    return new QuerySchedule(
        sampling.isSecret() ? List.of(Segment.reading(slots), answered) : List.of(answered),
        1,
        sampling);
  }

  /**
   * Whether a query is answered; false where it only reads.
   *
   * @param number from 1 to {@link #queries()}
   */
  public boolean answers(long number) {
    return segments.get(query(number).segment()).answers();
  }

  /** Why several places cannot sum a query's slots in parts; empty where they can. */
  public Optional<String> hindersParts() {
    if (sampling.isSecret()) {
      return Optional.of("whose slots enter sums by secret coins, which no worker tosses");
    }
    if (groups > 1) {
      return Optional.of("whose answers are medians of groups, which are cut by position");
    }
    return segments.stream().allMatch(each -> each.first() == 0 && each.batches() == 1)
        ? Optional.empty()
        : Optional.of("some of whose queries read a part of a block");
  }

  /** Slots of a block. */
  public long slots() {
    return segments.get(segments.size() - 1).end();
  }

  /** Queries of a block, with those that only read. */
  public long queries() {
    long all = 0;
    for (Segment each : segments) {
      all = Math.addExact(all, each.queries());
    }
    return all;
  }

  /** Whether it is nothing but passes in a number of batches over all slots of a block. */
  boolean isPasses(long batches, long passes) {
    Segment only = segments.get(0);
    return segments.size() == 1
        && only.first() == 0
        && only.repeats() == 1
        && only.batches() == batches
        && only.passes() == passes;
  }

  /** Whether some slot is read by more than one query. */
  public boolean readsAgain() {
    long read = 0;
    for (Segment each : segments) {
      if (each.passes() > 1 || each.repeats() > 1 || each.first() < read) {
        return true;
      }
      read = each.end();
    }
    return false;
  }

  /**
   * A query.
   *
   * @param number from 1 to {@link #queries()}
   */
  public Query query(long number) {
    long within = number - 1;
    for (int i = 0; within >= 0 && i < segments.size(); i++) {
      Segment each = segments.get(i);
      if (within < each.queries()) {
        long perPass = each.batches() * each.repeats();
        long batch = each.slots() / each.batches();
        long place = within % perPass / each.repeats();
        return new Query(each.first() + place * batch, batch, i, within / perPass);
      }
      within -= each.queries();
    }
    throw new IllegalArgumentException(
        "a block has queries 1 to " + queries() + ", but was asked for " + number);
  }

  /** How many slots, from the first on, the queries before one have read. */
  public long readBefore(long number) {
    long read = 0;
    long before = number - 1;
    for (int i = 0; before > 0; i++) {
      Segment each = segments.get(i);
      long batch = each.slots() / each.batches();
      long begun = Math.min(each.batches(), (before - 1) / each.repeats() + 1);
      read = Math.max(read, each.first() + begun * batch);
      before -= each.queries();
    }
    return read;
  }

  /** The largest number of slots of one query. */
  public long largestQuery() {
    long largest = 0;
    for (Segment each : segments) {
      largest = Math.max(largest, each.slots() / each.batches());
    }
    return largest;
  }

  /** Queries times slots of each: how many slots a block reads, whatever enters a sum. */
  public long reads() {
    long all = 0;
    for (Segment each : segments) {
      all = Math.addExact(
          all, Math.multiplyExact(each.slots(), Math.multiplyExact(each.repeats(), each.passes())));
    }
    return all;
  }

  /**
   * Gradients that a block takes: slots times points of every query with an answer, times the rate;
   * the expected number, rounded up, where slots are sampled.
   */
  public long gradients() {
    long all = 0;
    for (Segment each : segments) {
      if (each.answers()) {
        long inAll = each.slots() * each.repeats() * each.passes() * sampling.points();
        all = Math.addExact(
            all, sampling.isSecret() ? (long) Math.ceil(inAll * sampling.rate()) : inAll);
      }
    }
    return all;
  }

  /**
   * The most queries that read one slot, those that only read included. Where slots are sampled, a
   * slot enters the sums of fewer.
   */
  public long mostReads() {
    return worst(each -> each.repeats() * each.passes());
  }

  /**
   * The largest sum, over the queries that read one slot, of one over their variance: with noise of
   * these standard deviations at one point the block costs the root of this.
   */
  double worstPrecision() {
    double worst = 0;
    for (Segment at : segments) {
      double sum = 0;
      for (Segment each : segments) {
        if (each.first() <= at.first() && at.first() < each.end()) {
          sum += each.repeats() * each.passes() / (each.noise() * each.noise());
        }
      }
      worst = Math.max(worst, sum);
    }
    return worst;
  }

  private long worst(java.util.function.ToLongFunction<Segment> reads) {
    long worst = 0;
    for (Segment at : segments) {
      long sum = 0;
      for (Segment each : segments) {
        if (each.first() <= at.first() && at.first() < each.end()) {
          sum += reads.applyAsLong(each);
        }
      }
      worst = Math.max(worst, sum);
    }
    return worst;
  }

  /** In one line, the same for equal schedules. */
  public String describe() {
    return QueryScheduleLine.of(this);
  }

  /**
   * The schedule of a line that {@link #describe()} gave.
   *
   * @throws IllegalArgumentException for any other line
   */
  public static QuerySchedule parse(String line) {
    return QueryScheduleLine.parse(line);
  }
}
