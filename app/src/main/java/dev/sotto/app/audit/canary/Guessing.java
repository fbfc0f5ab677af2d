package dev.sotto.app.audit.canary;

import dev.sotto.app.audit.stat.Binomial;
import dev.sotto.app.audit.stat.OneRun;
import dev.sotto.learner.privacy.Guarantee;
import java.util.stream.IntStream;

/**
 * How many coins to guess: decided before any run, from canaries that were only imagined under the noise that is
 * claimed.
 *
 * @param half half of the number of guesses
 * @param falseAlarm how likely the guesses would refute the ledger although all is as claimed
 */
record Guessing(int half, double falseAlarm) {
  private static final double RARE = 1e-6;
  private static final int FEWEST = 8;

  /**
   * The number of guesses that is expected to prove most, among those that hardly ever raise a false alarm.
   *
   * @param claimed what guesses are to refute
   * @param risk how often the proof may fail, whatever the noise
   */
  static Guessing of(Scores imagined, Guarantee claimed, double risk) {
    int canaries = imagined.size();
    double[] expected = imagined.expected();
    Guessing best = null;
    double most = -1;
    for (int half : candidates(canaries / 2)) {
      int right = (int) expected[half];
      double proved = OneRun.epsilonLower(canaries, 2 * half, right, claimed.delta(), risk);
      double alarm = falseAlarm(canaries, 2 * half, expected[half] / (2 * half), claimed, risk);
      boolean better = alarm <= RARE && proved > most;
      if (best == null || better || best.falseAlarm() > RARE && alarm < best.falseAlarm()) {
        best = new Guessing(half, alarm);
        most = alarm <= RARE ? proved : -1;
      }
    }
    return best;
  }

  /** Ever larger numbers, and the largest: a pure mechanism is tight wherever evidence is strongest. */
  private static int[] candidates(int largest) {
    IntStream growing = IntStream.iterate(
        Math.min(FEWEST, largest), half -> half < largest, half -> half + 1 + half / 3);
    return IntStream.concat(
            growing, IntStream.of((int) (0.9 * largest), (int) (0.95 * largest), largest))
        .filter(half -> half > 0)
        .toArray();
  }

  private static double falseAlarm(
      int canaries, int guesses, double accuracy, Guarantee claimed, double risk) {
    int accepted = (int) (accuracy * guesses); // refutes nothing, or chance has little to add
    int refuting = guesses + 1;
    if (!refutes(canaries, guesses, guesses, claimed, risk)) {
      return 0;
    }
    while (refuting - accepted > 1) {
      int middle = (refuting + accepted) / 2;
      if (refutes(canaries, guesses, middle, claimed, risk)) {
        refuting = middle;
      } else {
        accepted = middle;
      }
    }
    return new Binomial(guesses, Math.min(1, accuracy)).atLeast(refuting);
  }

  private static boolean refutes(
      int canaries, int guesses, int right, Guarantee claimed, double risk) {
    return OneRun.pValue(canaries, guesses, right, claimed.epsilon(), claimed.delta()) <= risk;
  }
}
