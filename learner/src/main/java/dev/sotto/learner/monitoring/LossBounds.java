package dev.sotto.learner.monitoring;

import dev.sotto.learner.accounting.PrivateMetrics;
import dev.sotto.learner.training.NoisyMetrics;
import java.util.List;

/**
 * The loss of an example in some windows, and between which bounds the expected loss lies, however
 * few examples there were and whatever the noise did. Losses are shares of the loss bound, 0 to 1.
 *
 * <p>Let an example's loss be l, in [0, 1], with expectation m given all before it, L the published
 * sum of losses and N the published count, right plus wrong. Then L - m N is a sum of at most
 * {@code slots} terms l - m, each of expectation 0 and within an interval of length 1, plus
 * Gaussian noise of variance s^2 (1 + 2 m^2) per window, at most 3 s^2. Both are sub-Gaussian, with
 * V = slots / 4 + 3 (sum of s^2) in all (Hoeffding; Azuma), so |L - m N| exceeds sqrt(2 V ln(1 /
 * f)) on either side with probability f at most. Examples need not be independent, and the exact
 * count need not be known: slots are public, and the noise of the count is part of V. What holds
 * for one expectation m holds for the smallest and the greatest of several.
 *
 * @param loss L
 * @param count N
 * @param variance V
 */
public record LossBounds(double loss, double count, double variance) {
  /** Nothing seen. */
  static final LossBounds NONE = new LossBounds(0, 0, 0);

  /** Of one window. */
  public static LossBounds of(NoisyMetrics window) {
    double noise = window.noiseStd() * window.noiseStd();
    return new LossBounds(
        window.sums()[PrivateMetrics.LOSS], window.count(), window.slots() / 4.0 + 3 * noise);
  }

  /** Of several windows together. */
  public static LossBounds of(List<NoisyMetrics> windows) {
    return windows.stream().map(LossBounds::of).reduce(NONE, LossBounds::plus);
  }

  /**
   * Of wrong predictions instead of losses, in several windows: their number is one of the two sums
   * that make up the count, and its noise makes L - m N no larger than that of a loss.
   */
  static LossBounds ofErrors(List<NoisyMetrics> windows) {
    return windows.stream()
        .map(each -> new LossBounds(
            each.sums()[PrivateMetrics.WRONG], each.count(), of(each).variance()))
        .reduce(NONE, LossBounds::plus);
  }

  LossBounds plus(LossBounds more) {
    return new LossBounds(loss + more.loss, count + more.count, variance + more.variance);
  }

  /** Whether the noise leaves examples at all; without, there are no bounds. */
  public boolean isKnown() {
    return count > 0;
  }

  /** The mean loss, where it is known. */
  public double mean() {
    return loss / count;
  }

  /**
   * How far from the mean the expected loss may lie, on either side.
   *
   * @param failure the probability that it lies farther off on one given side, above 0
   */
  public double radius(double failure) {
    return Math.sqrt(-2 * variance * StrictMath.log(failure)) / count;
  }
}
