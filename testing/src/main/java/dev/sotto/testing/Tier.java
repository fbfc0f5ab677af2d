package dev.sotto.testing;

/** In which tier the tests of this run are: a size may differ, what is asserted does not. */
public final class Tier {
  private Tier() {}

  /** Whether long tests are part of this run. */
  public static boolean isLong() {
    return !System.getProperty(ClassBudget.SKIPPED_TAGS, "").contains(ClassBudget.LONG);
  }

  /** A number that is larger where long tests are part of the run. */
  public static int choose(int inShortRuns, int inLongRuns) {
    return isLong() ? inLongRuns : inShortRuns;
  }
}
