package dev.sotto.learner.example;

import java.util.Locale;

/**
 * How a feature vector is brought to l2 norm 1 or less: by a public rule, each record by itself.
 */
public enum NormRule {
  /** Divide by the norm; the zero vector stays zero. */
  SCALE,
  /** Divide by the norm where it is above 1. */
  CLIP;

  private static final double ULP_BELOW_ONE = 1 - 0x1p-52;
  private static final double LEAST = 0x1p-1000; // the inverse of a much smaller one is infinite

  /** Brings the example's norm to 1 (or below), also as {@link Example#norm()} computes it. */
  public void apply(Example example) {
    double norm = example.measure();
    if (!(norm > 0) || (this == CLIP && norm <= 1)) {
      return;
    }
    if (norm < LEAST) {
      example.scale(0x1p200); // exact
      norm = example.norm();
    }
    example.scale(1 / norm);
    while (example.measure() > 1) { // division and the norm each round; a step or two at most
      example.scale(ULP_BELOW_ONE);
    }
  }

  /** The name in the configuration. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
