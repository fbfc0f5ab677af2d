package dev.sotto.learner.mechanism.tuning;

import dev.sotto.learner.mechanism.BltParameters;

/**
 * All parameter sets of a number of buffers as points of a space without bounds: theta_1 > phi_1 >
 * theta_2 > ... > phi_d by the logits of what they lack of 1, of which the first is free and each
 * step the exponential of a coordinate. Any such order is a valid set, since the weights of C
 * follow as the residues of {@code prod (1 - phi x) / prod (1 - theta x)} and are positive.
 */
final class Interlaced {
  private Interlaced() {}

  /**
   * Logits in equal steps, from a complement of {@code 1 / rounds} to 4/5: nothing is known yet.
   */
  static double[] start(int buffers, long rounds) {
    double first = -StrictMath.log(rounds - 1);
    double step = (StrictMath.log(4) - first) / (2 * buffers - 1);
    double[] point = new double[2 * buffers];
    point[0] = first;
    for (int i = 1; i < point.length; i++) {
      point[i] = StrictMath.log(step);
    }
    return point;
  }

  /** The set at a point. */
  static BltParameters at(double[] point) {
    int buffers = point.length / 2;
    double[] theta = new double[buffers]; // all of them what is lacking of 1
    double[] phi = new double[buffers];
    double logit = point[0];
    for (int m = 0; m < buffers; m++) {
      logit += m == 0 ? 0 : StrictMath.exp(point[2 * m]);
      theta[m] = logistic(logit);
      logit += StrictMath.exp(point[2 * m + 1]);
      phi[m] = logistic(logit);
    }
    double[] omega = new double[buffers];
    for (int m = 0; m < buffers; m++) {
      omega[m] = phi[m] - theta[m];
      for (int i = 0; i < buffers; i++) {
        omega[m] *= i == m ? 1 : (phi[i] - theta[m]) / (theta[i] - theta[m]);
      }
    }
    return BltParameters.of(omega, theta);
  }

  private static double logistic(double logit) {
    return 1 / (1 + StrictMath.exp(-logit));
  }
}
