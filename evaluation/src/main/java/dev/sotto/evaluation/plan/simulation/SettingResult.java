package dev.sotto.evaluation.plan.simulation;

import java.util.List;

/**
 * What came of one setting.
 *
 * @param rounds that were simulated
 * @param horizon the plan's horizon in rounds of this batch size
 * @param sigma noise per coordinate of a round's sum, at the cost of the plan
 * @param losses mean loss of the last model on what was held out, of each repetition
 */
public record SettingResult(
    SimulatedSetting setting, long rounds, long horizon, double sigma, List<Double> losses) {
  public SettingResult {
    losses = List.copyOf(losses);
  }

  /** The mean over all repetitions. */
  public double loss() {
    return mean(losses);
  }

  /** The standard error of the mean difference from other losses on the same data. */
  public double standardError(List<Double> others) {
    double difference = loss() - mean(others);
    double squares = 0;
    for (int i = 0; i < losses.size(); i++) {
      double off = losses.get(i) - others.get(i) - difference;
      squares += off * off;
    }
    return Math.sqrt(squares / (losses.size() - 1) / losses.size());
  }

  static double mean(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).sum() / values.size();
  }
}
