package dev.sotto.learner.mechanism;

import dev.sotto.learner.mechanism.QuerySchedule.Sampling;
import dev.sotto.learner.mechanism.QuerySchedule.Segment;
import java.util.List;

/** What a {@link QuerySchedule} must be like; each refuses with the rule and the values. */
final class ScheduleRules {
  private static final long MOST = 1L << 62;

  private ScheduleRules() {}

  /** A segment has whole batches of slots, and can be counted. */
  static void checkRange(long first, long slots, long batches, long repeats, long passes) {
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
          "a segment's slots, queries and reads must be countable, but were " + first + "+" + slots
              + ", " + batches + " * " + repeats + " * " + passes);
    }
  }

  static void checkNoise(double noise) {
    if (!(noise > 0)) {
      throw new IllegalArgumentException("a segment's noise must be positive, but was " + noise);
    }
  }

  /** Queries without answers are one, which reads from the first slot on. */
  static void checkReadsOnce(long first, long batches, long repeats, long passes) {
    if (first > 0 || batches * repeats * passes > 1) {
      throw new IllegalArgumentException("a segment without answers (noise Infinity) must begin"
          + " at slot 0 and have one batch, repeat and pass, but was " + first + ", " + batches
          + ", " + repeats + ", " + passes);
    }
  }

  /** Segments follow each other, or read again what those before them have read. */
  static void checkOrder(List<Segment> segments, int groups) {
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
        throw new IllegalArgumentException("a segment must begin after the one before, at slot "
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

  /** Where slots are sampled, the whole block is read once without answers, and then as a whole. */
  static void checkSampling(List<Segment> segments, int groups, Sampling sampling) {
    if (groups > 1 && !sampling.equals(Sampling.NONE)) {
      throw new IllegalArgumentException("queries in " + groups + " groups must have points 1 and"
          + " rate 1, but have " + sampling.points() + " and " + sampling.rate());
    }
    long slots = segments.get(segments.size() - 1).end();
    for (int i = 0; i < segments.size(); i++) {
      Segment each = segments.get(i);
      boolean reads = sampling.isSecret() && i == 0;
      if (each.answers() == reads) {
        throw new IllegalArgumentException("with rate " + sampling.rate()
            + (reads
                ? " the first segment must read without answers (noise Infinity)"
                : " segment " + (i + 1) + " must have answers (a finite noise)")
            + ", but its noise was " + each.noise());
      }
      if (sampling.isSecret()
          && (each.first() != 0 || each.slots() != slots || each.batches() != 1)) {
        throw new IllegalArgumentException("with rate " + sampling.rate()
            + " every segment must read the whole block in one batch, but segment " + (i + 1)
            + " was " + each.first() + "+" + each.slots() + " in " + each.batches());
      }
      checkGradients(each, sampling);
    }
    if (sampling.isSecret() && segments.size() == 1) {
      throw new IllegalArgumentException("with rate " + sampling.rate()
          + " a block must have a segment with answers, but had 1 segment");
    }
  }

  private static void checkGradients(Segment each, Sampling sampling) {
    try {
      Math.multiplyExact(each.slots() * each.repeats() * each.passes(), sampling.points());
    } catch (ArithmeticException tooMany) {
      throw new IllegalArgumentException("the gradients of a segment must be countable, but were "
          + sampling.points() + " points of " + each);
    }
  }
}
