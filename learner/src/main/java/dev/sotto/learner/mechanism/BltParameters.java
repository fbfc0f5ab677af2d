package dev.sotto.learner.mechanism;

import dev.sotto.learner.participation.ColumnDecay;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A lower-triangular Toeplitz matrix C with {@code c_0 = 1} and
 * {@code c_k = sum_m omega_m theta_m^(k-1)} (docs/blt.md, "Definition and generation"; Dvijotham et
 * al. 2024). A set that exists is valid: its coefficients are positive and fall, and the poles of
 * its inverse lie between its own.
 *
 * @param omega weights, positive, with {@code sum omega < 1} and {@code sum omega/theta < 1}
 * @param theta decays within (0, 1), the slowest (largest) first; each exactly
 *     {@code 1 - oneMinusTheta} in doubles
 * @param oneMinusTheta what the decays lack of 1: these are the parameters, theta is their rounding
 */
public record BltParameters(double[] omega, double[] theta, double[] oneMinusTheta) {
  /** A buffer that forgets more slowly than this would no longer forget in doubles. */
  private static final double SLOWEST = 0x1p-40;

  private static final int MOST_BUFFERS = 16;

  private static final Pattern TEXT =
      Pattern.compile("omega=\\[([^\\]]*)\\] one-minus-theta=\\[([^\\]]*)\\]");

  public BltParameters {
    if (omega.length < 1
        || omega.length > MOST_BUFFERS
        || omega.length != theta.length
        || omega.length != oneMinusTheta.length) {
      throw new IllegalArgumentException(
          "omega, theta and oneMinusTheta must have 1 to " + MOST_BUFFERS
              + " entries, equally many, but had "
              + omega.length + ", " + theta.length + ", " + oneMinusTheta.length);
    }
    omega = omega.clone();
    theta = theta.clone();
    oneMinusTheta = oneMinusTheta.clone();
    double weights = 0;
    double weightsOverDecays = 0;
    for (int m = 0; m < omega.length; m++) {
      if (!(omega[m] > 0)) {
        throw new IllegalArgumentException(
            "omega must be positive, but was " + Arrays.toString(omega));
      }
      if (!(oneMinusTheta[m] >= SLOWEST && theta[m] > 0 && theta[m] == 1 - oneMinusTheta[m])) {
        throw new IllegalArgumentException(
            "theta must be above 0, at most 1 - 2^-40, and 1 - oneMinusTheta, but was "
                + Arrays.toString(theta) + " beside " + Arrays.toString(oneMinusTheta));
      }
      if (m > 0 && !(oneMinusTheta[m] > oneMinusTheta[m - 1])) {
        throw new IllegalArgumentException(
            "theta must fall from each entry to the next, but 1 - theta was "
                + Arrays.toString(oneMinusTheta));
      }
      weights += omega[m];
      weightsOverDecays += omega[m] / theta[m];
    }
    if (!(weights < 1)) {
      throw new IllegalArgumentException("the sum of omega must be below 1, so that coefficients"
          + " fall, but was " + weights + " of " + Arrays.toString(omega));
    }
    if (!(weightsOverDecays < 1)) {
      throw new IllegalArgumentException("the sum of omega/theta must be below 1, so that every"
          + " pole of the inverse is positive, but was " + weightsOverDecays + " of omega "
          + Arrays.toString(omega) + " and theta " + Arrays.toString(theta));
    }
  }

  /** A set by its weights and by what its decays lack of 1, the slowest first. */
  public static BltParameters of(double[] omega, double[] oneMinusTheta) {
    return new BltParameters(omega, complements(oneMinusTheta), oneMinusTheta);
  }

  /**
   * A set by its weights and decays, the slowest first; 1 - theta loses nothing from theta = 1/2
   * on.
   */
  public static BltParameters ofTheta(double[] omega, double[] theta) {
    return of(omega, complements(theta));
  }

  private static double[] complements(double[] values) {
    return Arrays.stream(values).map(value -> 1 - value).toArray();
  }

  /**
   * The set that {@link #toString} wrote.
   *
   * @throws IllegalArgumentException where the text is none, or the set that it names is not valid
   */
  public static BltParameters parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "parameters of blt must read omega=[...] one-minus-theta=[...], but were " + text);
    }
    return of(numbers(matcher.group(1)), numbers(matcher.group(2)));
  }

  private static double[] numbers(String list) {
    return Arrays.stream(list.split(",", -1)).mapToDouble(Double::parseDouble).toArray();
  }

  /** How many buffers, that is terms, there are. */
  public int buffers() {
    return omega.length;
  }

  /** c_k, the entry of C that lies k below the diagonal; k at least 0. */
  public double coefficient(long k) {
    if (k == 0) {
      return 1;
    }
    double sum = 0;
    for (int m = 0; m < omega.length; m++) {
      sum += omega[m] * decay(m).power(k - 1);
    }
    return sum;
  }

  /** The inverse of C, and what follows from it. */
  public BltInverse inverse() {
    return new BltInverse(this);
  }

  /** How a participation goes on to cost. */
  public ColumnDecay memory() {
    return new ColumnDecay(omega, theta, oneMinusTheta);
  }

  DecayRatio decay(int m) {
    return DecayRatio.ofComplement(oneMinusTheta[m]);
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

  /** One canonical line with all bits: hexadecimal doubles. */
  @Override
  public String toString() {
    return "omega=" + hex(omega) + " one-minus-theta=" + hex(oneMinusTheta);
  }

  private static String hex(double[] values) {
    return Arrays.stream(values)
        .mapToObj(Double::toHexString)
        .collect(Collectors.joining(",", "[", "]"));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BltParameters that
        && Arrays.equals(omega, that.omega)
        && Arrays.equals(oneMinusTheta, that.oneMinusTheta);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(omega) * 31 + Arrays.hashCode(oneMinusTheta);
  }
}
