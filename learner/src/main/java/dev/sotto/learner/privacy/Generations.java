package dev.sotto.learner.privacy;

/**
 * When an algorithm restarts on fresh records: at rounds that are fixed beforehand. Each record belongs to one
 * generation (privacy.md section 6).
 *
 * @param kind how lengths go on
 * @param first rounds of generation 0; without meaning for {@link Kind#NONE}
 */
public record Generations(Kind kind, long first) {
  /** No restart, ever. */
  public static final Generations NONE = new Generations(Kind.NONE, 1);

  /** How long generations are. */
  public enum Kind {
    /** One generation without end. */
    NONE,
    /** All of one length. */
    CONSTANT,
    /** Each twice as long as the one before. */
    DOUBLING
  }

  public Generations {
    if (first < 1 || first > 1L << 40) {
      throw new IllegalArgumentException(
          "the first generation must have 1 to 2^40 rounds, but had " + first);
    }
  }

  /** The generation of a round, from 0. */
  public int of(long round) {
    if (round < 1) {
      throw new IllegalArgumentException("rounds count from 1, but round was " + round);
    }
    return switch (kind) {
      case NONE -> 0;
      case CONSTANT -> Math.toIntExact((round - 1) / first);
      case DOUBLING -> 63 - Long.numberOfLeadingZeros((round - 1) / first + 1);
    };
  }

  /** The first round of a generation. */
  public long start(int generation) {
    return switch (kind) {
      case NONE -> 1;
      case CONSTANT -> generation * first + 1;
      case DOUBLING -> first * ((1L << generation) - 1) + 1;
    };
  }

  /** How many rounds a generation has; {@link Long#MAX_VALUE} for one without end. */
  public long length(int generation) {
    return switch (kind) {
      case NONE -> Long.MAX_VALUE;
      case CONSTANT -> first;
      case DOUBLING -> first << generation;
    };
  }

  /** The round within its generation, from 1. */
  public long within(long round) {
    return round - start(of(round)) + 1;
  }

  /** In one line, the same for equal schedules; part of a plan's fingerprint. */
  public String describe() {
    return kind == Kind.NONE
        ? "none"
        : kind.name().toLowerCase(java.util.Locale.ROOT) + " " + first;
  }
}
