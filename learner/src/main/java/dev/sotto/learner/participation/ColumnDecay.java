package dev.sotto.learner.participation;

import java.util.Arrays;

/**
 * How one participation goes on to move later rows of C u: by {@code sum_m omega_m theta_m^(g-1)}
 * after g rounds (docs/blt.md, "Definition and generation"). Without terms it moves its own row
 * alone, as under independent noise.
 *
 * @param omega weights, positive and finite
 * @param theta decay of each, within (0, 1)
 * @param oneMinusTheta 1 - theta, given apart since it is exact near 1; what costs are computed
 *     from
 */
public record ColumnDecay(double[] omega, double[] theta, double[] oneMinusTheta) {
  /** Of independent noise. */
  public static final ColumnDecay NONE =
      new ColumnDecay(new double[0], new double[0], new double[0]);

  public ColumnDecay {
    if (omega.length != theta.length || omega.length != oneMinusTheta.length) {
      throw new IllegalArgumentException(
          "omega, theta and oneMinusTheta must be equally long, but had " + omega.length + ", "
              + theta.length + ", " + oneMinusTheta.length + " terms");
    }
    omega = omega.clone();
    theta = theta.clone();
    oneMinusTheta = oneMinusTheta.clone();
    for (int m = 0; m < omega.length; m++) {
      if (!(omega[m] > 0 && omega[m] < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(
            "omega must be positive and finite, but was " + omega[m] + " in term " + m);
      }
      if (!(theta[m] > 0 && theta[m] < 1)) {
        throw new IllegalArgumentException(
            "theta must be within (0, 1), but was " + theta[m] + " in term " + m);
      }
      if (!isOneMinus(theta[m], oneMinusTheta[m])) {
        throw new IllegalArgumentException(
            "oneMinusTheta must be 1 - theta and within (0, 1), but was " + oneMinusTheta[m]
                + " where theta was " + theta[m]);
      }
    }
  }

  private static boolean isOneMinus(double theta, double rest) {
    return rest > 0 && rest < 1 && Math.abs(1 - theta - rest) <= 0x1p-52;
  }

  /** In one line, the same for equal memories on every machine. */
  String describe() {
    return "omega=" + hex(omega) + " 1-theta=" + hex(oneMinusTheta);
  }

  private static String hex(double[] values) {
    return Arrays.stream(values).mapToObj(Double::toHexString).toList().toString();
  }

  /** How many terms there are. */
  public int size() {
    return omega.length;
  }

  @Override
  public double[] omega() {
    return omega.clone();
  }

  @Override
  public double[] theta() {
    return theta.clone();
  }

  @Override
  public double[] oneMinusTheta() {
    return oneMinusTheta.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ColumnDecay that
        && Arrays.equals(omega, that.omega)
        && Arrays.equals(theta, that.theta)
        && Arrays.equals(oneMinusTheta, that.oneMinusTheta);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(omega) * 31 + Arrays.hashCode(theta);
  }

  @Override
  public String toString() {
    return "ColumnDecay[omega=" + Arrays.toString(omega) + ", oneMinusTheta="
        + Arrays.toString(oneMinusTheta) + "]";
  }
}
