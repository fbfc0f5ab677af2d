package dev.sotto.evaluation.plan.simulation;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What came of some settings on the same repetitions: each repetition has its own data and its own
 * noise.
 *
 * @param blanks the mean loss of a model that has learned nothing, of each repetition
 * @param truths the mean loss of the weights that labels follow from, of each repetition
 * @param all one for each setting
 */
public record LossSample(List<Double> blanks, List<Double> truths, List<SettingResult> all) {
  public LossSample {
    blanks = List.copyOf(blanks);
    truths = List.copyOf(truths);
    all = List.copyOf(all);
  }

  /** How often each setting was tried. */
  public int repetitions() {
    return truths.size();
  }

  /** The mean loss of a model that has learned nothing. */
  public double blank() {
    return SettingResult.mean(blanks);
  }

  /** The mean loss of the weights that labels follow from. */
  public double truth() {
    return SettingResult.mean(truths);
  }

  /** How much of what there was to learn a mean loss stands for: 0 for nothing, 1 for all of it. */
  public double learned(double loss) {
    return (blank() - loss) / (blank() - truth());
  }

  /** The least loss; the first of several. */
  SettingResult best() {
    return all.stream().min(Comparator.comparingDouble(SettingResult::loss)).orElseThrow();
  }

  /** The finding of a setting. */
  SettingResult of(SimulatedSetting setting) {
    return all.stream()
        .filter(each -> each.setting().equals(setting))
        .findFirst()
        .orElseThrow();
  }

  /** The best for each value of one of the things that are varied, whatever the others are. */
  <T extends Comparable<T>> Map<T, SettingResult> along(Function<SimulatedSetting, T> axis) {
    Map<T, SettingResult> best = new TreeMap<>();
    for (SettingResult each : all) {
      best.merge(
          axis.apply(each.setting()),
          each,
          (old, other) -> other.loss() < old.loss() ? other : old);
    }
    return best;
  }

  /**
   * How many settings learn as much as the best but for such a share of what there was to learn.
   */
  long within(double share) {
    double least = learned(best().loss()) - share;
    return all.stream().filter(each -> learned(each.loss()) >= least).count();
  }
}
