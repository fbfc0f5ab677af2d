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

  private static final Hats HATS = new Hats(-MOST, MOST, 2 * MOST);

  /** How many coordinates there are. */
  public static final int COUNT = HATS.knots();

  private Octaves() {}

  /** Where a finite number lies. */
  static double position(double x) {
    double octave = StrictMath.log1p(SCALE * Math.abs(x)) / LN_2;
    return Math.copySign(Math.min(MOST, octave), x);
  }

  /** Adds the two hats of a finite number. */
  public static void add(Example example, int first, double x) {
    HATS.add(example, first, position(x));
  }

  /** The inner product of the two hats of a finite number with weights. */
  public static double score(double[] weights, int first, double x) {
    return HATS.score(weights, first, position(x));
  }

  /** The number at the top of a hat. */
  public static double knot(int number) {
    int u = number - MOST;
    return Math.copySign((StrictMath.pow(2, Math.abs(u)) - 1) / SCALE, u);
  }
}
