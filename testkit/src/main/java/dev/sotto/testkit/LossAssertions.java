package dev.sotto.testkit;

import dev.sotto.learner.loss.Loss;

/** Rules for a user's own loss. Privacy does not depend on them; learning does. */
public final class LossAssertions {
  private static final double[] SCORES = {
    -50, -8, -3, -1.5, -1, -0.7, -0.25, -1e-3, 0, 1e-3, 0.25, 0.7, 1, 1.5, 3, 8, 50
  };
  private static final double ROUNDING = 1e-9;

  private LossAssertions() {}

  /**
   * Fails unless, at these labels and a grid of scores, the loss is convex with {@code slope} as
   * its subgradient, and keeps the bounds that it states: {@link Loss#lipschitz} and
   * {@link Loss#smoothness}.
   */
  public static void assertConvex(Loss loss, double... labels) {
    AssertionFailures.unless(labels.length > 0, "a loss is checked at labels: name at least one");
    for (double label : labels) {
      AssertionFailures.unless(
          loss.admits(label), "the loss must admit label %s, but does not", label);
      for (double from : SCORES) {
        double slope = loss.slope(from, label);
        AssertionFailures.unless(
            Math.abs(slope) <= loss.lipschitz() * (1 + ROUNDING),
            "the slope at score %s, label %s must lie within lipschitz() %s, but is %s",
            from,
            label,
            loss.lipschitz(),
            slope);
        for (double to : SCORES) {
          if (to != from) {
            pair(loss, label, from, to);
          }
        }
      }
    }
  }

  private static void pair(Loss loss, double label, double from, double to) {
    double line = loss.value(from, label) + loss.slope(from, label) * (to - from);
    double value = loss.value(to, label);
    AssertionFailures.unless(
        value >= line - ROUNDING * (1 + Math.abs(line)),
        "the loss at score %s, label %s must lie on or above its tangent at score %s, which is %s"
            + " there, but is %s: it is not convex, or slope() is not its derivative",
        to,
        label,
        from,
        line,
        value);
    double change = Math.abs(loss.slope(to, label) - loss.slope(from, label));
    AssertionFailures.unless(
        change <= loss.smoothness() * Math.abs(to - from) * (1 + ROUNDING) + ROUNDING,
        "the slope must change by at most smoothness() %s per change of the score, but does by %s"
            + " from score %s to %s, label %s",
        loss.smoothness(),
        change,
        from,
        to,
        label);
  }
}
