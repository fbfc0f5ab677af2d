package dev.sotto.learner.mechanism;

import java.util.ArrayList;
import java.util.List;

/**
 * Which slots of a block each of its queries reads, and with how much noise: public numbers, fixed
 * before the block begins. Queries count from 1, slots of a block from 0.
 *
 * @param segments in the order in which they are worked at
 * @param groups odd; the slots of a query are cut into as many groups by position, and the answer is
 *     the noisy median of their sums, coordinate by coordinate. 1: the sum of all of them
 */
public record QuerySchedule(List<Segment> segments, int groups) {
  private static final String GROUPS = " groups=";

  /** Queries that are answered with sums. */
  public QuerySchedule(List<Segment> segments) {
    this(segments, 1);
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
   * @param noise standard deviation of the noise of one query, relative to other segments'
   */
  public record Segment(
      long first, long slots, long batches, long repeats, long passes, double noise) {
    private static final long MOST = 1L << 62;

    public Segment {
      if (first < 0 || slots < 1 || batches < 1 || repeats < 1 || passes < 1) {
        throw new IllegalArgumentException(
            "a segment must begin at slot 0 or later, and have at least one slot, batch, repeat"
                + " and pass, but was " + first + ", " + slots + ", " + batches + ", " + repeats
                + ", " + passes);
      }
      if (slots > MOST - first || passes > MOST / repeats || batches > MOST / (repeats * passes)) {
        throw new IllegalArgumentException("a segment must end before slot 2^62 and have less than"
            + " 2^62 queries, but was " + first + ", " + slots + ", " + batches + ", " + repeats
            + ", " + passes);
      }
      if (slots % batches != 0) {
        throw new IllegalArgumentException(
            "a segment's slots must be a multiple of its batches, but were " + slots + " and "
                + batches);
      }
      try {
        Math.addExact(first, slots);
        Math.multiplyExact(slots, Math.multiplyExact(batches, Math.multiplyExact(repeats, passes)));
      } catch (ArithmeticException tooMany) {
        throw new IllegalArgumentException(
            "a segment's slots, queries and reads must be countable, but were " + first + "+"
                + slots + ", " + batches + " * " + repeats + " * " + passes);
      }
      if (!(noise > 0) || noise == Double.POSITIVE_INFINITY) {
        throw new IllegalArgumentException(
            "a segment's noise must be positive and finite, but was " + noise);
      }
    }

    /** All slots in one batch, once in each pass. */
    public static Segment whole(long first, long slots, long passes, double noise) {
      return new Segment(first, slots, 1, 1, passes, noise);
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
    if (segments.isEmpty()) {
      throw new IllegalArgumentException("a block must have at least one segment, but had none");
    }
    if (groups < 1 || groups % 2 == 0) {
      throw new IllegalArgumentException("groups must be odd and at least 1, but were " + groups);
    }
    long end = 0;
    for (Segment each : segments) {
      if (each.slots() / each.batches() % groups != 0) {
        throw new IllegalArgumentException("the slots of a query must be a multiple of its "
            + groups + " groups, but were " + each.slots() / each.batches());
      }
      boolean again = each.first() == 0 && each.end() == end;
      if (each.first() != end && !again) {
        throw new IllegalArgumentException("a segment must begin behind the one before, at slot "
            + end + ", or repeat all slots so far, but begins at " + each.first());
      }
      if (each.first() > 0 && each.batches() > 1 && each.passes() > 1) {
        throw new IllegalArgumentException(
            "several passes in several batches must begin at the block's first slot, but begin at "
                + each.first());
      }
      end = each.end();
    }
  }

  /** All slots of a block in one query each, with equal noise: one pass. */
  public static QuerySchedule onePass(long batches, long batch) {
    return new QuerySchedule(
        List.of(new Segment(0, Math.multiplyExact(batches, batch), batches, 1, 1, 1)));
  }

  /** The same, answered with medians of the sums of groups. */
  public QuerySchedule inGroups(int number) {
    return new QuerySchedule(segments, number);
  }

  /** Slots of a block. */
  public long slots() {
    return segments.get(segments.size() - 1).end();
  }

  /** Queries of a block. */
  public long queries() {
    long all = 0;
    for (Segment each : segments) {
      all = Math.addExact(all, each.queries());
    }
    return all;
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

  /** Queries times slots of each: gradients that a block takes. */
  public long gradients() {
    long all = 0;
    for (Segment each : segments) {
      all = Math.addExact(
          all, Math.multiplyExact(each.slots(), Math.multiplyExact(each.repeats(), each.passes())));
    }
    return all;
  }

  /** The most queries that read one slot. */
  public long mostReads() {
    return worst(each -> each.repeats() * each.passes());
  }

  /**
   * The largest sum, over the queries that read one slot, of one over their variance: with noise of
   * these standard deviations the block costs the root of this.
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
    List<String> parts = new ArrayList<>();
    for (Segment each : segments) {
      parts.add(each.first() + "+" + each.slots() + "/" + each.batches() + "*" + each.repeats()
          + "*" + each.passes() + "@" + Double.toHexString(each.noise()));
    }
    return String.join(" ", parts) + (groups == 1 ? "" : GROUPS + groups);
  }

  /**
   * The schedule of a line that {@link #describe()} gave.
   *
   * @throws IllegalArgumentException for any other line
   */
  public static QuerySchedule parse(String line) {
    List<Segment> segments = new ArrayList<>();
    int end = line.indexOf(GROUPS);
    int groups = end < 0 ? 1 : Integer.parseInt(line.substring(end + GROUPS.length()));
    for (String part : line.substring(0, end < 0 ? line.length() : end).split(" ")) {
      String[] fields = part.split("[+/*@]", -1);
      if (fields.length != 6) {
        throw new IllegalArgumentException(
            "a segment is first+slots/batches*repeats*passes@noise, but was " + part);
      }
      // The exponent of a hexadecimal number has no sign that splits it: p+ is never written.
      segments.add(new Segment(
          Long.parseLong(fields[0]),
          Long.parseLong(fields[1]),
          Long.parseLong(fields[2]),
          Long.parseLong(fields[3]),
          Long.parseLong(fields[4]),
          Double.parseDouble(fields[5])));
    }
    return new QuerySchedule(segments, groups);
  }
}
