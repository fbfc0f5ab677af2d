package dev.sotto.learner.participation;

import java.util.ArrayList;
import java.util.List;

/**
 * The most that a unit under a fixed schedule bound can cost when the algorithm restarts:
 * generations add in mu^2, so it is the largest sum over the ways in which its participations may
 * be dealt out to them (docs/privacy.md, "Contribution bounds" and "The ledger").
 *
 * <p>Two participations in different generations are taken to be free of the separation, except
 * that no more of them are dealt out than fit into all rounds together: a safe upper bound, and
 * exact for a separation of 1.
 */
public final class WorstSchedule {
  /**
   * Above this number of participations the answer is an upper bound; up to it every split is
   * tried.
   */
  static final int TRIED = 1024;

  /**
   * Generations that are alike.
   *
   * @param rounds of each
   * @param copies how many there are; {@link Long#MAX_VALUE} for no end
   */
  record Alike(long rounds, long copies) {
    /** The most participations that fit into one of them. */
    long room(ContributionBound bound) {
      return bound.within(rounds);
    }
  }

  private WorstSchedule() {}

  /**
   * The largest sum of squared sensitivities over the generations of a number of rounds. Never less
   * than the truth; up to {@value #TRIED} participations the maximum itself, beyond that above it
   * by at most what one generation can cost and 1 %.
   *
   * <p>Costs, for each length of generations (one or two if constant, one per doubling): a call of
   * f for each number of participations up to {@value #TRIED} that fit into it, 89 for each
   * doubling beyond, and k^2 steps.
   *
   * @param rounds at least 0; {@link Long#MAX_VALUE} for an endless stream
   * @param f in units of one participation without noise: multiply the result by (s/sigma)^2 for
   *     mu^2
   * @return infinite where an endless stream lets the cost grow without end
   */
  public static double worstSquared(
      GenerationSchedule generations, long rounds, ContributionBound bound, SquaredSensitivity f) {
    if (rounds < 0) {
      throw new IllegalArgumentException("rounds must be at least 0, but was " + rounds);
    }
    if (rounds == 0) {
      return 0;
    }
    if (generations.kind() == GenerationSchedule.Kind.NONE) {
      return checked(f, rounds, bound);
    }
    boolean endless = rounds == Long.MAX_VALUE;
    if (endless && bound.most() == Long.MAX_VALUE) {
      return Double.POSITIVE_INFINITY;
    }
    long most = endless ? bound.most() : bound.within(rounds);
    List<Alike> alike = endless ? List.of(last(generations)) : upTo(generations, rounds);
    double full = everywhere(alike, bound, f);
    if (fits(alike, bound, most) || full == 0) {
      return full;
    }
    return most <= TRIED
        ? new ParticipationSplits(alike, (int) most, bound.separation(), f).largest()
        : Math.min(full, new SplitBound(alike, most, bound.separation(), f).value());
  }

  /** A value of f, once it is known to be one. */
  static double checked(SquaredSensitivity f, long rounds, ContributionBound bound) {
    double value = f.of(rounds, bound);
    if (!(value >= 0)) {
      throw new IllegalArgumentException("a squared sensitivity must be at least 0, but was "
          + value + " for " + rounds + " rounds and " + bound);
    }
    return value;
  }

  /**
   * Of an endless stream: doubled for ever, generations outgrow every length, and there is no last
   * one.
   */
  private static Alike last(GenerationSchedule generations) {
    return generations.kind() == GenerationSchedule.Kind.CONSTANT
        ? new Alike(generations.first(), Long.MAX_VALUE)
        : new Alike(Long.MAX_VALUE, Long.MAX_VALUE);
  }

  static List<Alike> upTo(GenerationSchedule generations, long rounds) {
    List<Alike> alike = new ArrayList<>();
    if (generations.kind() == GenerationSchedule.Kind.CONSTANT) {
      add(alike, generations.first(), rounds / generations.first());
      add(alike, rounds % generations.first(), 1);
      return alike;
    }
    int running = generations.of(rounds);
    for (int generation = 0; generation < running; generation++) {
      add(alike, generations.length(generation), 1);
    }
    add(alike, generations.within(rounds), 1);
    return alike;
  }

  private static void add(List<Alike> alike, long rounds, long copies) {
    if (rounds > 0 && copies > 0) {
      alike.add(new Alike(rounds, copies));
    }
  }

  /** Whether this number of participations fills every generation. */
  private static boolean fits(List<Alike> alike, ContributionBound bound, long most) {
    ContributionBound each = new ContributionBound(Long.MAX_VALUE, bound.separation());
    long left = most;
    for (Alike these : alike) {
      if (these.copies() > left / these.room(each)) {
        return false;
      }
      left -= these.copies() * these.room(each);
    }
    return true;
  }

  /** The sum if every generation holds as many as the bound admits within one. */
  private static double everywhere(
      List<Alike> alike, ContributionBound bound, SquaredSensitivity f) {
    double sum = 0;
    for (Alike these : alike) {
      double value = checked(f, these.rounds(), bound);
      sum =
          value == 0 ? sum : UpwardRounding.sum(sum, UpwardRounding.product(these.copies(), value));
    }
    return sum;
  }
}
