package org.example.trips;

import dev.sotto.learner.loss.Loss;
import dev.sotto.learner.loss.LossProvider;
import java.util.Map;

/** A Huber loss that weighs predictions below the label more than those above it. */
public final class AsymmetricHuber implements LossProvider {
  @Override
  public String name() {
    return "asymmetric-huber";
  }

  /**
   * Changes with anything that changes a result; Sotto then refuses to go on with a running model.
   */
  @Override
  public String version() {
    return "1";
  }

  @Override
  public Loss create(Map<String, String> parameters) {
    return new Asymmetric(
        positive(parameters, "threshold", "1"), positive(parameters, "under", "1"));
  }

  private static double positive(Map<String, String> parameters, String name, String usual) {
    String text = parameters.getOrDefault(name, usual);
    double value;
    try {
      value = Double.parseDouble(text);
    } catch (NumberFormatException noNumber) {
      throw new IllegalArgumentException(name + " must be a number, but was " + text);
    }
    if (!(value > 0 && value < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(name + " must be positive and finite, but was " + text);
    }
    return value;
  }

  /** No fields but constants: a loss with state would break the guarantee. */
  private record Asymmetric(double threshold, double under) implements Loss {
    @Override
    public double value(double score, double label) {
      double error = Math.abs(score - label);
      double plain =
          error <= threshold ? 0.5 * error * error : threshold * (error - 0.5 * threshold);
      return score < label ? under * plain : plain;
    }

    @Override
    public double slope(double score, double label) {
      double plain = Math.max(-threshold, Math.min(threshold, score - label));
      return score < label ? under * plain : plain;
    }

    @Override
    public boolean admits(double label) {
      return Double.isFinite(label);
    }

    @Override
    public double lipschitz() {
      return Math.max(1, under) * threshold;
    }

    @Override
    public double smoothness() {
      return Math.max(1, under);
    }

    @Override
    public double predict(double score) {
      return score;
    }
  }
}
