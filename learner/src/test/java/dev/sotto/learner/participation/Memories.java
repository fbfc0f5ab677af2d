package dev.sotto.learner.participation;

import java.util.Random;

/**
 * Memories to test with: those of docs/blt.md, "Parameter sets and their errors", and random ones
 * that meet its checks.
 */
final class Memories {
  /** docs/blt.md, "Parameter sets and their errors", n = 2^10, 3 buffers. */
  static final ColumnDecay TEN_BITS = of(
      new double[] {0.044441027948591214, 0.12054499142601559, 0.3113897607160807},
      new double[] {0.998972854555085, 0.9785597526235734, 0.7432836259443386});

  /** docs/blt.md, "Parameter sets and their errors", T = 2^30, 6 buffers. */
  static final ColumnDecay ANYTIME = of(
      new double[] {
        3.0429761490627448e-05,
        0.00021608871036235178,
        0.0016568130884343402,
        0.010989428718734998,
        0.0602922941508466,
        0.4468413362547301
      },
      new double[] {
        0.9999999970308376,
        0.9999997967776095,
        0.99999005190772,
        0.9996096579045153,
        0.9892997747779277,
        0.6980068156712231
      },
      new double[] {
        2.9691623714077085e-09,
        2.0322239049172026e-07,
        9.948092280047981e-06,
        0.00039034209548475786,
        0.010700225222072205,
        0.30199318432877686
      });

  private Memories() {}

  static ColumnDecay of(double[] omega, double[] theta, double[] oneMinusTheta) {
    return new ColumnDecay(omega, theta, oneMinusTheta);
  }

  static ColumnDecay of(double[] omega, double[] theta) {
    double[] oneMinusTheta = new double[theta.length];
    for (int m = 0; m < theta.length; m++) {
      oneMinusTheta[m] = 1 - theta[m];
    }
    return of(omega, theta, oneMinusTheta);
  }

  /** Up to 4 terms, sum omega below 1, theta up to .98; none at all in one case of five. */
  static ColumnDecay random(Random random) {
    int size = random.nextInt(5);
    double[] omega = new double[size];
    double[] theta = new double[size];
    double sum = 0;
    for (int m = 0; m < size; m++) {
      omega[m] = .01 + random.nextDouble();
      theta[m] = .02 + .96 * random.nextDouble();
      sum += omega[m];
    }
    double total = random.nextDouble();
    for (int m = 0; m < size; m++) {
      omega[m] *= total / sum;
    }
    return size == 0 ? ColumnDecay.NONE : of(omega, theta);
  }
}
