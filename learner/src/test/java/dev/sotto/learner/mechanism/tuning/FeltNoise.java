package dev.sotto.learner.mechanism.tuning;

import dev.sotto.learner.mechanism.BltInverse;
import dev.sotto.learner.mechanism.BltParameters;

/**
 * The noise that a learner feels (docs/experiments/horizon.md): of the error of its weights along a
 * direction it takes back a share r in every round, whatever caused it. So the noise that round s
 * added to the prefix counts {@code (1 - r)^(t-s)} in round t: about that of the last 1 / r rounds.
 */
final class FeltNoise {
  private FeltNoise() {}

  /**
   * Its variance in the long run, for noise of standard deviation 1: the sum of squares of the
   * series {@code 1 / (c(x) (1 - (1 - r) x))}.
   *
   * @param window 1 / r, above 1
   */
  static double variance(BltParameters set, double window) {
    BltInverse inverse = set.inverse();
    double[] psi = inverse.psi();
    double[] g = inverse.g();
    int last = psi.length;
    double[] poles = new double[last + 1]; // what they lack of 1
    double[] residues = new double[last + 1];
    poles[last] = 1 / window;
    residues[last] = 1;
    for (int m = 0; m < last; m++) {
      poles[m] = -psi[m] / g[m];
      residues[m] = -psi[m] / (poles[m] - poles[last]);
      residues[last] -= residues[m];
    }
    double variance = 0;
    for (int k = 0; k <= last; k++) {
      for (int l = 0; l <= last; l++) {
        variance += residues[k] * residues[l] / (poles[k] + poles[l] - poles[k] * poles[l]);
      }
    }
    return variance;
  }
}
