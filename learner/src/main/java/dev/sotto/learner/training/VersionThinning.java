package dev.sotto.learner.training;

/**
 * How versions become rarer in a long run, so that its ledger stays small whatever the rate of
 * events: after a number of versions their length doubles, and again after each further stage. It
 * follows from the number of the round alone.
 *
 * <p>A plan's fingerprint does not name it: it applies to every plan whose versions have as many
 * rounds as they have by default, and to no other.
 *
 * @param usualSlots of a version by default: one of another number of rounds is not thinned; 0
 *     where none is
 * @param full versions before the first doubling, at least 1
 * @param stage versions of each longer length, at least 1
 */
public record VersionThinning(long usualSlots, long full, long stage) {
  /** Versions keep their length. */
  public static final VersionThinning NONE = new VersionThinning(0, 1, 1);

  private static final int MOST_DOUBLINGS = 40;

  public VersionThinning {
    if (usualSlots < 0 || full < 1 || stage < 1) {
      throw new IllegalArgumentException(
          "usualSlots must be at least 0, full and stage at least 1, but were " + usualSlots + ", "
              + full + " and " + stage);
    }
  }

  /**
   * Of the default length: a year takes about a million versions at most, at a hundred million
   * slots a second.
   */
  static VersionThinning usual(long usualSlots) {
    return new VersionThinning(usualSlots, 1 << 18, 1 << 15);
  }

  /** Rounds of a version by default. */
  private boolean appliesTo(long rounds, long batch) {
    return usualSlots > 0 && rounds == (usualSlots - 1) / batch + 1;
  }

  /**
   * Rounds of a version.
   *
   * @param rounds of the first ones
   * @param batch slots in a round
   * @param before rounds before it
   */
  long rounds(long rounds, long batch, long before) {
    long after = before - full * rounds;
    return after < 0 || !appliesTo(rounds, batch) ? rounds : rounds << doublings(rounds, after);
  }

  /** Stage s, from 1, begins stage * rounds * (2^s - 2) rounds after the last version of full. */
  private int doublings(long rounds, long after) {
    long stages = after / (stage * rounds) + 2;
    return Math.min(MOST_DOUBLINGS, 63 - Long.numberOfLeadingZeros(stages));
  }

  /**
   * About how many versions a number of rounds have.
   *
   * @param rounds of the first versions
   * @param batch slots in a round
   * @param all rounds
   */
  double versions(long rounds, long batch, double all) {
    double after = all - (double) full * rounds;
    if (after < 0 || !appliesTo(rounds, batch)) {
      return all / rounds;
    }
    double versions = full;
    for (double length = 2.0 * rounds; after > 0; length *= 2) {
      versions += Math.min(stage, after / length);
      after -= stage * length;
    }
    return versions;
  }
}
