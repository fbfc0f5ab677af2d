package dev.sotto.learner.range;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.Hats;

/**
 * Hats at the octaves of a number, which need to know nothing of it: u = sign(x) log2(1 + 1024
 * |x|), cut to 50 on either side, has a hat at each whole number. Good where numbers spread over
 * magnitudes, blind where they do not.
 */
public final class Octaves {
  private static final int MOST = 50;
  private static final double SCALE = 1024;
  private static final double LN_2 = StrictMath.log(2);

  /** How many coordinates there are. */
  public static final int COUNT = 2 * MOST + 1;

  private Octaves() {}

  /** Where a finite number lies. */
  static double position(double x) {
    double octave = StrictMath.log1p(SCALE * Math.abs(x)) / LN_2;
    return Math.copySign(Math.min(MOST, octave), x);
  }

  /** Adds the two hats of a finite number. */
  public static void add(Example example, int first, double x) {
    double position = position(x) + MOST;
    int lower = Math.min((int) position, COUNT - 2);
    Hats.add(example, first + lower, first + lower + 1, position - lower);
  }

  /** The number at the top of a hat. */
  public static double knot(int number) {
    int u = number - MOST;
    return Math.copySign((StrictMath.pow(2, Math.abs(u)) - 1) / SCALE, u);
  }
}
