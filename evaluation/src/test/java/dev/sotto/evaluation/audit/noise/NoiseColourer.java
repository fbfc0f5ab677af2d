package dev.sotto.evaluation.audit.noise;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Noise of prefix sums out of white noise, by forward substitution: what a learner does. */
public final class NoiseColourer {
  private final NoiseMatrix matrix;
  private final List<double[]> before = new ArrayList<>(); // of this generation: C^-1 z
  private final double[] sum;
  private long round = 1;

  /** Before the first round. */
  public NoiseColourer(NoiseMatrix matrix, int dimension) {
    this.matrix = matrix;
    sum = new double[dimension];
  }

  /** Writes N_t, without taking this round's white noise for granted yet. */
  public void colour(double[] white, double[] into) {
    step(white, into);
    for (int i = 0; i < into.length; i++) {
      into[i] += sum[i];
    }
  }

  /** Goes on to the next round. */
  public void advance(double[] white) {
    double[] step = new double[sum.length];
    step(white, step);
    for (int i = 0; i < sum.length; i++) {
      sum[i] += step[i];
    }
    before.add(step);
    round++;
    if (matrix.isRestart(round)) {
      before.clear();
      Arrays.fill(sum, 0);
    }
  }

  private void step(double[] white, double[] into) {
    double[] row = matrix.row(round);
    System.arraycopy(white, 0, into, 0, into.length);
    NoiseMatrix.addMultiples(row, before, -1, into);
    double diagonal = row[before.size()];
    for (int i = 0; i < into.length; i++) {
      into[i] /= diagonal;
    }
  }
}
