package dev.sotto.learner.mechanism;

import java.util.Arrays;

/**
 * Slow and obvious: a lower-triangular Toeplitz matrix C by its first column, and sums over its
 * entries.
 */
record Toeplitz(double[] column) {
  /** c_k = binom(2k, k) / 4^k, whose square is the matrix of ones. */
  static Toeplitz squareRoot(int rounds) {
    double[] column = new double[rounds];
    column[0] = 1;
    for (int k = 1; k < rounds; k++) {
      column[k] = column[k - 1] * (2 * k - 1) / (2 * k);
    }
    return new Toeplitz(column);
  }

  /** The coefficients of docs/blt.md, "Definition and generation", theta by theta. */
  static Toeplitz of(BltParameters parameters, int rounds) {
    double[] column = new double[rounds];
    column[0] = 1;
    double[] terms = parameters.omega();
    for (int k = 1; k < rounds; k++) {
      for (int m = 0; m < terms.length; m++) {
        column[k] += terms[m];
        terms[m] *= parameters.theta()[m];
      }
    }
    return new Toeplitz(column);
  }

  /** The first column of the inverse, by substitution. */
  double[] inverse() {
    double[] inverse = new double[column.length];
    inverse[0] = 1;
    for (int k = 1; k < column.length; k++) {
      for (int j = 1; j <= k; j++) {
        inverse[k] -= column[j] * inverse[k - j];
      }
    }
    return inverse;
  }

  /** C v. */
  double[] times(double[] v) {
    double[] product = new double[v.length];
    for (int r = 0; r < v.length; r++) {
      for (int i = 0; i <= r; i++) {
        product[r] += column[r - i] * v[i];
      }
    }
    return product;
  }

  /** The square of the norm of C u for the earliest schedule. */
  double earliest(int rounds, int most, int separation) {
    double[] u = new double[rounds];
    for (int j = 0; j < most && j * separation < rounds; j++) {
      u[j * separation] = 1;
    }
    return Arrays.stream(times(u)).map(row -> row * row).sum();
  }

  /** The largest square of the norm of C u over every admissible schedule. */
  double worst(int rounds, int most, int separation) {
    return worst(new double[rounds], 0, most, separation);
  }

  private double worst(double[] u, int from, int most, int separation) {
    double worst = Arrays.stream(times(u)).map(row -> row * row).sum();
    for (int next = from; most > 0 && next < u.length; next++) {
      u[next] = 1;
      worst = Math.max(worst, worst(u, next + separation, most - 1, separation));
      u[next] = 0;
    }
    return worst;
  }
}
