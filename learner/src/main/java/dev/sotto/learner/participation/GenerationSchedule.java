package dev.sotto.learner.participation;

import java.util.Locale;
import java.util.Objects;

/**
 * When an algorithm restarts on fresh records: at rounds that are fixed beforehand. Each record
 * belongs to one generation (docs/privacy.md, "The ledger").
 *
 * @param kind how lengths go on
 * @param first rounds of generation 0, 1 to 2^40; without meaning for {@link Kind#NONE}, and 1
 *     there
 */
public record GenerationSchedule(Kind kind, long first) {
  /** No restart, ever. */
  public static final GenerationSchedule NONE = new GenerationSchedule(Kind.NONE, 1);

  /** How long generations are. */
  public enum Kind {
    /** One generation without end. */
    NONE,
    /** All of one length. */
    CONSTANT,
    /** Each twice as long as the one before. */
    DOUBLING
  }

  public GenerationSchedule {
    Objects.requireNonNull(kind, "kind");
    if (first < 1 || first > 1L << 40) {
      throw new IllegalArgumentException(
          "the first generation must have 1 to 2^40 rounds, but had " + first);
    }
    first = kind == Kind.NONE ? 1 : first;
  }

  /**
   * The generation of a round, from 0.
   *
   * @throws IllegalArgumentException for a round below 1, or past generation 2^31 - 1
   */
  public int of(long round) {
    if (round < 1) {
      throw new IllegalArgumentException("rounds count from 1, but round was " + round);
    }
    long full = (round - 1) / first;
    return switch (kind) {
      case NONE -> 0;
      case CONSTANT -> {
        if (full > Integer.MAX_VALUE) {
          throw new IllegalArgumentException("generations of " + first
              + " rounds are counted up to 2^31, which round " + round + " exceeds");
        }
        yield (int) full;
      }
      case DOUBLING -> 63 - Long.numberOfLeadingZeros(full + 1);
    };
  }

  /**
   * The first round of a generation.
   *
   * @throws IllegalArgumentException where it is negative or would begin past round 2^63 - 1
   */
  public long start(int generation) {
    long before = switch (kind) {
      case NONE -> generation == 0 ? 0 : -1;
      case CONSTANT -> generation > (Long.MAX_VALUE - 1) / first ? -1 : generation * first;
      case DOUBLING ->
        generation > 62 || (1L << generation) - 1 > (Long.MAX_VALUE - 1) / first
            ? -1
            : first * ((1L << generation) - 1);
    };
    if (generation < 0 || before < 0) {
      throw new IllegalArgumentException(
          "there is no generation " + generation + " of " + describe());
    }
    return before + 1;
  }

  /**
   * The last round of a generation; {@link Long#MAX_VALUE} for one without end, or that ends later.
   */
  public long last(int generation) {
    long before = start(generation) - 1;
    long length = length(generation);
    return length > Long.MAX_VALUE - before ? Long.MAX_VALUE : before + length;
  }

  /**
   * How many rounds a generation has; {@link Long#MAX_VALUE} for one without end, or that is
   * longer.
   */
  public long length(int generation) {
    start(generation);
    return switch (kind) {
      case NONE -> Long.MAX_VALUE;
      case CONSTANT -> first;
      case DOUBLING -> first > Long.MAX_VALUE >> generation ? Long.MAX_VALUE : first << generation;
    };
  }

  /** The round within its generation, from 1. */
  public long within(long round) {
    return round - start(of(round)) + 1;
  }

  /**
   * The schedule of a line that {@link #describe()} gave.
   *
   * @throws IllegalArgumentException for any other line
   */
  public static GenerationSchedule parse(String line) {
    if (line.equals("none")) {
      return NONE;
    }
    String[] words = line.split(" ");
    if (words.length != 2) {
      throw new IllegalArgumentException(
          "generations are \"none\" or a kind and a length, but were " + line);
    }
    return new GenerationSchedule(
        Kind.valueOf(words[0].toUpperCase(Locale.ROOT)), Long.parseLong(words[1]));
  }

  /** In one line, the same for equal schedules; part of a plan's fingerprint. */
  public String describe() {
    return kind == Kind.NONE ? "none" : kind.name().toLowerCase(Locale.ROOT) + " " + first;
  }
}
