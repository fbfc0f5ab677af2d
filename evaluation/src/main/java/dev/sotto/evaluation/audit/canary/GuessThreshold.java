package dev.sotto.evaluation.audit.canary;

import dev.sotto.evaluation.audit.statistics.TailProbability;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The number of coins to guess: chosen before any run, from canaries that are simulated under the
 * claimed noise.
 *
 * @param half half of the number of guesses, in each group of canaries that are ranked together
 * @param falseAlarm the probability that the guesses refute the ledger where all is as claimed
 */
record GuessThreshold(int half, double falseAlarm) {
  private static final double RARE = 1e-6;
  private static final int FEWEST = 8;

  /**
   * The number of guesses that is expected to prove most, among those that hardly ever raise a
   * false alarm.
   *
   * @param bound what they prove
   */
  static GuessThreshold of(CanaryScores simulated, GuessBound bound) {
    int canaries = simulated.together();
    double[][] expected = simulated.expected();
    GuessThreshold best = null;
    double most = -1;
    for (int half : candidates(canaries / 2)) {
      double[] right = Arrays.stream(expected).mapToDouble(each -> each[half]).toArray();
      GuessTally tally = new GuessTally(canaries, 2 * half, right);
      double proved = bound.epsilonLower(tally.cautious());
      double alarm = falseAlarm(tally, bound);
      boolean better = alarm <= RARE && proved > most;
      if (best == null || better || best.falseAlarm() > RARE && alarm < best.falseAlarm()) {
        best = new GuessThreshold(half, alarm);
        most = alarm <= RARE ? proved : -1;
      }
    }
    return best;
  }

  /**
   * Ever larger numbers, and the largest: a pure mechanism is tight wherever evidence is strongest.
   */
  private static int[] candidates(int largest) {
    IntStream growing = IntStream.iterate(
        Math.min(FEWEST, largest), half -> half < largest, half -> half + 1 + half / 3);
    return IntStream.concat(
            growing, IntStream.of((int) (0.9 * largest), (int) (0.95 * largest), largest))
        .filter(half -> half > 0)
        .toArray();
  }

  /** Of a number of right guesses those prove most that are the same in each group. */
  private static double falseAlarm(GuessTally expected, GuessBound bound) {
    int guesses = expected.allGuesses();
    double accuracy = Arrays.stream(expected.right()).sum() / guesses;
    int accepted = (int) (accuracy * guesses); // refutes nothing, or chance has little to add
    int refuting = guesses + 1;
    if (!bound.refutes(expected.even(guesses))) {
      return 0;
    }
    while (refuting - accepted > 1) {
      int middle = (refuting + accepted) / 2;
      if (bound.refutes(expected.even(middle))) {
        refuting = middle;
      } else {
        accepted = middle;
      }
    }
    return TailProbability.binomial(refuting, guesses, Math.min(1, accuracy));
  }
}
