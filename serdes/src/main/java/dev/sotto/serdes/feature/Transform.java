package dev.sotto.serdes.feature;

import java.util.Locale;

/** A monotone function of a number, applied before it is scaled between its bounds. */
public enum Transform {
  /** t(v) = v. */
  IDENTITY,
  /** t(v) = ln(1 + max(v, 0)). */
  LOG1P;

  /** The function's value; {@code StrictMath}, so that every machine gets the same bits. */
  public double of(double value) {
    return this == LOG1P ? StrictMath.log1p(Math.max(value, 0)) : value;
  }

  /** The number that it maps to a value; of several, that of 0 or more. */
  double inverse(double value) {
    return this == LOG1P ? StrictMath.expm1(value) : value;
  }

  /** The name in the configuration. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
