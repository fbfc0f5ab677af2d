package dev.sotto.config.settings;

import dev.sotto.learner.accounting.AccountedNoise;
import dev.sotto.learner.accounting.RangeCost;
import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.optimizer.settings.Optimizers;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.range.NumberRange;
import dev.sotto.learner.range.RangeStage;
import dev.sotto.learner.range.RangeWindow;
import dev.sotto.learner.range.UnboundedNumbers;
import dev.sotto.learner.settings.InvalidSettingException;
import dev.sotto.learner.settings.Settings;
import dev.sotto.learner.training.PlanKeys;
import dev.sotto.learner.training.RangeSettings;
import dev.sotto.serdes.feature.FeatureKeys;
import dev.sotto.serdes.feature.FeatureMapText;
import dev.sotto.topology.settings.ApplicationKeys;
import dev.sotto.topology.settings.LearnerSettings.Start;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How the ranges of numbers without bounds come to be known: from the model at which a run begins,
 * or from a window of its first rounds, under noise.
 */
final class RangeRules {
  /** Of the squared mu of one participation, that the counts take where the label is none. */
  private static final double SHARE = 0.5;

  private static final long LEAST_SLOTS = 256; // of a stage
  private static final double SLOTS_PER_SIGMA = 15;

  /** Where the label is measured: without its range nothing is learned (docs/numbers.md). */
  private static final double SLOTS_PER_SIGMA_OF_LABEL = 30;

  private static final long LEAST_OF_PLANNED = 64;
  private static final long PLANNED_PER_SLOT = 30;
  private static final double ABOVE_ROUNDING = 1 + 1e-12;

  private final Settings settings;
  private final UnboundedNumbers numbers;

  RangeRules(Settings settings, UnboundedNumbers numbers) {
    this.settings = settings;
    this.numbers = numbers;
  }

  /** Refuses what no window goes together with; before the plan is designed. */
  void check(boolean ofBlocks, int candidates, Optional<Start> start) {
    if (numbers.isEmpty() || start.isPresent()) {
      return; // without a window
    }
    if (numbers.ofLabel() && candidates > 1) {
      throw refused("candidates, which share one window");
    }
    if (numbers.ofLabel()
        && settings.isUsable(ApplicationKeys.LAYOUT)
        && settings.get(ApplicationKeys.LAYOUT).sumsParts()) {
      throw refused("layout " + settings.get(ApplicationKeys.LAYOUT).configName());
    }
    if (ofBlocks) {
      throw refused(Optimizers.ALGORITHM.name()
          + " " + settings.get(Optimizers.ALGORITHM).configName()
          + ", which reads its slots several times");
    }
    if (settings.find(ApplicationKeys.LAG).orElse(0) != 0) {
      throw refused(
          ApplicationKeys.LAG + " 1, where a round is summed before the one before it is known");
    }
  }

  /** Refuses a guarantee beside which the cost of the counts is not known. */
  private void check(PrivacySettings configured) {
    Mechanism mechanism = configured.noise().mechanism();
    if (!mechanism.composes()) {
      throw refused(Mechanisms.MECHANISM + " " + mechanism.name()
          + ", whose cost does not add up with that of counts");
    }
  }

  private InvalidSettingException refused(String what) {
    if (numbers.ofLabel()) {
      return settings.reject(
          FeatureKeys.LABEL_MIN,
          "must be given, and label.max, with " + what + ": the range of a label is not measured"
              + " there");
    }
    return settings.reject(
        FeatureKeys.RANGES,
        "must be none with " + what + "; or give every number its bounds"
            + " (features.numeric.<name>.min and .max)");
  }

  /**
   * The ranges, or the window.
   *
   * @param features canonical text of the run's feature map
   */
  RangeSettings of(Optional<Start> start, String features, LearningDesign.Designed designed) {
    if (numbers.isEmpty()) {
      return RangeSettings.NONE;
    }
    if (numbers.ofLabel() && designed.configured().metrics() != null) {
      throw settings.reject(
          FeatureKeys.LABEL_MIN,
          "must be given, and label.max, with private metrics (" + PlanKeys.METRICS_SHARE
              + "), which need labels between known bounds");
    }
    if (start.isPresent()) {
      return RangeSettings.known(numbers, known(start.get(), features));
    }
    check(designed.configured());
    return RangeSettings.measured(numbers, window(designed));
  }

  private RangeWindow window(LearningDesign.Designed designed) {
    long batch = designed.learning().get().batch();
    AccountedNoise noise = designed.configured().noise();
    long horizon = settings.find(PlanKeys.HORIZON).orElse(Long.MAX_VALUE);
    GenerationSchedule generations = designed.configured().contribution().generations();
    double share = numbers.ofLabel() ? 1 : SHARE; // nothing is learned before the label is known
    double sigma = RangeCost.sigma(noise, generations, numbers.ranges(), share, horizon);
    double each = numbers.ofLabel() ? SLOTS_PER_SIGMA_OF_LABEL : SLOTS_PER_SIGMA;
    double slots = Math.max(LEAST_SLOTS, Math.ceil(each * sigma));
    if (horizon < Long.MAX_VALUE / batch) {
      slots = Math.min(slots, Math.max(LEAST_OF_PLANNED, horizon * batch / PLANNED_PER_SLOT));
    }
    long most = settings.find(FeatureKeys.RANGES_SLOTS).orElse(Long.MAX_VALUE);
    slots = Math.min(slots, most / RangeStage.values().length);
    long rounds = (long) Math.ceil(slots / batch);
    RangeWindow window = new RangeWindow(numbers.ranges(), rounds, sigma, share);
    if (window.allRounds() > generations.last(0)) {
      throw refused(PlanKeys.GENERATIONS + " of " + generations.length(0)
          + " rounds, which end before the " + window.allRounds() + " of a window");
    }
    return atLevel(window, noise, designed.privacy().noise());
  }

  /** A reference run has noise that is smaller by as much, or none. */
  private static RangeWindow atLevel(
      RangeWindow window, AccountedNoise configured, AccountedNoise noise) {
    if (noise.equals(configured)) {
      return window;
    }
    if (noise.mechanism().sensitivity(1) == Double.POSITIVE_INFINITY) {
      return new RangeWindow(window.numbers(), window.rounds(), 0, window.share() == 1 ? 1 : 0);
    }
    double ratio =
        configured.sensitivity() / configured.sigma() / (noise.sensitivity() / noise.sigma());
    return new RangeWindow(
        window.numbers(), window.rounds(), window.sigma() * ratio * ABOVE_ROUNDING, window.share());
  }

  /** The ranges of the model at which the run begins: they carry over, and nothing is measured. */
  private List<NumberRange> known(Start start, String features) {
    Map<String, NumberRange> found = Map.of();
    Optional<NumberRange> ofLabel = Optional.empty();
    try {
      FeatureMapText published = FeatureMapText.parse(start.model().manifest().features());
      found = published.ranges();
      ofLabel = published.labelRange();
    } catch (IllegalArgumentException notOfFields) {
      // it has none
    }
    List<NumberRange> known = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    for (var each : FeatureMapText.parse(features).unbounded()) {
      NumberRange range = found.get(each.name());
      if (range == null) {
        missing.add(each.name());
      } else {
        known.add(range);
      }
    }
    if (!missing.isEmpty()) {
      throw settings.reject(
          FeatureKeys.RANGES,
          "must be none in a run that begins at " + start.model().source()
              + ", which has no ranges of " + String.join(", ", missing)
              + ": they carry over, and are not measured again; or give bounds");
    }
    if (numbers.ofLabel()) {
      known.add(ofLabel
          .filter(each -> each.state() == NumberRange.State.MEASURED)
          .orElseThrow(() -> settings.reject(
              FeatureKeys.LABEL_MIN,
              "must be given, and label.max, in a run that begins at "
                  + start.model().source()
                  + ", which has no range of its label: it carries over, and is not measured"
                  + " again")));
    }
    return known;
  }
}
