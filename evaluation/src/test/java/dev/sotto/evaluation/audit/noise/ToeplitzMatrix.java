package dev.sotto.evaluation.audit.noise;

import dev.sotto.learner.participation.ColumnDecay;

/**
 * A lower-triangular Toeplitz C with c_0 = 1 and c_k = sum_m omega_m theta_m^(k-1) (docs/blt.md,
 * "Definition and generation"); the identity where there are no terms.
 */
record ToeplitzMatrix(ColumnDecay memory) implements ReferenceMatrix {
  @Override
  public Whitener whitener(int dimension) {
    return new Whitener() {
      private final double[] omega = memory.omega();
      private final double[] theta = memory.theta();
      private final double[][] past = new double[omega.length][dimension];
      private final double[] last = new double[dimension];

      @Override
      public void white(double[] prefix, double[] into) {
        for (int i = 0; i < dimension; i++) {
          double row = prefix[i] - last[i];
          for (int m = 0; m < omega.length; m++) {
            row += omega[m] * past[m][i];
          }
          into[i] = row;
        }
      }

      @Override
      public void advance(double[] prefix) {
        for (int i = 0; i < dimension; i++) {
          double step = prefix[i] - last[i];
          for (int m = 0; m < omega.length; m++) {
            past[m][i] = theta[m] * past[m][i] + step;
          }
          last[i] = prefix[i];
        }
      }
    };
  }

  @Override
  public Colourer colourer(int dimension) {
    return new Colourer() {
      private final double[] omega = memory.omega();
      private final double[] theta = memory.theta();
      private final double[][] past = new double[omega.length][dimension];
      private final double[] sum = new double[dimension];

      @Override
      public void colour(double[] white, double[] into) {
        for (int i = 0; i < dimension; i++) {
          into[i] = sum[i] + step(white, i);
        }
      }

      @Override
      public void advance(double[] white) {
        for (int i = 0; i < dimension; i++) {
          double step = step(white, i);
          for (int m = 0; m < omega.length; m++) {
            past[m][i] = theta[m] * past[m][i] + step;
          }
          sum[i] += step;
        }
      }

      private double step(double[] white, int i) {
        double step = white[i];
        for (int m = 0; m < omega.length; m++) {
          step -= omega[m] * past[m][i];
        }
        return step;
      }
    };
  }
}
