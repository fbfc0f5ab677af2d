package dev.sotto.app.demo;

import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import dev.sotto.config.settings.GuaranteeLevel;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.loss.ObjectiveSettings;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.PrefixMechanism;
import dev.sotto.learner.optimizer.Optimizers;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.PlanKeys;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.event.JsonEventDecoder;
import dev.sotto.serdes.feature.FeatureKeys;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.FeatureMapBuilder;
import dev.sotto.serdes.feature.LabelRule;
import dev.sotto.serdes.feature.NormRule;
import dev.sotto.serdes.feature.Transform;
import dev.sotto.topology.settings.ApplicationKeys;
import dev.sotto.topology.settings.Layout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** What the demo learns: will a player be in at least 100 games next season? */
public final class DemoPlan {
  /** What can be chosen. */
  public record Options(
      Optimizers algorithm, Mechanisms mechanism, Budget budget, PrivacyUnit unit) {
    Options with(PrivacyUnit other) {
      return new Options(algorithm, mechanism, budget, other);
    }
  }

  /** "More than 99.5 games" is "at least 100". */
  private static final double THRESHOLD = BaseballStream.REGULAR - 0.5;

  /** Seasons of a player where the mechanism does not give every player a budget of his own. */
  private static final int SEASONS = 8;

  private static final Map<String, String> NO_KEY = Map.of("SOTTO_NOISE_KEY", "0".repeat(64));

  private DemoPlan() {}

  static FeatureMap features() {
    FeatureMapBuilder builder = FeatureMap.builder().bias(true).norm(NormRule.SCALE);
    List<BaseballFeatures.Feature> sorted = BaseballFeatures.DEMO.stream()
        .sorted(Comparator.comparing(BaseballFeatures.Feature::field)) // as configurations are
        .toList();
    for (BaseballFeatures.Feature feature : sorted) {
      Transform transform = feature.log1p() ? Transform.LOG1P : Transform.IDENTITY;
      builder.numeric(
          feature.field(), feature.field(), feature.low(), feature.high(), transform, false);
    }
    return builder
        .label(BaseballStream.NEXT_GAMES, new LabelRule.Threshold(THRESHOLD))
        .unitField(BaseballStream.PLAYER)
        .build();
  }

  static EventDecoder decoder() {
    return new JsonEventDecoder(features());
  }

  /**
   * The configuration of features, label, unit and budget, with all defaults. Only a
   * mechanism whose cost has no limit, or is not known player by player, gets a horizon too.
   */
  public static SottoConfig config(Options options, long slots) {
    List<String> settings = settings(options);
    PrefixMechanism made = options.mechanism().make();
    boolean byKey = options.unit() == PrivacyUnit.KEY;
    if (made.memory().isEmpty()) {
      settings.add(PlanKeys.HORIZON + "=" + Math.max(1, slots / 64));
      settings.add(PlanKeys.BATCH_SIZE + "=64");
      if (byKey) {
        settings.add(PlanKeys.CONTRIBUTION + "=" + PlanKeys.SCHEDULE);
        settings.add(PlanKeys.MOST_ROUNDS + "=" + SEASONS);
      }
    }
    return config(settings, GuaranteeLevel.CONFIGURED);
  }

  /** The plan of that configuration. */
  static Plan of(Options options, long slots) {
    return config(options, slots).learner().plan();
  }

  /**
   * The same code with noise and clipping off: what the data would give to someone who need not
   * protect them.
   */
  static Plan withoutPrivacy(Options options) {
    Options records = new Options(
        options.algorithm(), Mechanisms.MECHANISM.standard(), options.budget(), PrivacyUnit.RECORD);
    return config(settings(records), GuaranteeLevel.NONE).learner().plan();
  }

  private static List<String> settings(Options options) {
    List<String> settings = new ArrayList<>(List.of(
        ApplicationKeys.EVENTS_TOPIC + "=" + Demo.EVENTS,
        ApplicationKeys.LAYOUT + "=" + Layout.DIRECT.configName(),
        ApplicationKeys.MODEL_ID + "=" + Demo.MODEL,
        ObjectiveSettings.LOSS + "=" + Losses.LOGISTIC.configName(),
        Optimizers.ALGORITHM + "=" + options.algorithm().configName(),
        FeatureKeys.LABEL_FIELD + "=" + BaseballStream.NEXT_GAMES,
        FeatureKeys.LABEL_THRESHOLD + "=" + THRESHOLD,
        FeatureKeys.UNIT_FROM + "=" + FeatureKeys.FIELD,
        FeatureKeys.UNIT_FIELD + "=" + BaseballStream.PLAYER,
        PlanKeys.UNIT + "=" + options.unit().configName(),
        Mechanisms.MECHANISM + "=" + options.mechanism().configName(),
        PlanKeys.EPSILON + "=" + options.budget().epsilon(),
        PlanKeys.DELTA + "=" + options.budget().delta(),
        "noise.key.env=SOTTO_NOISE_KEY"));
    for (BaseballFeatures.Feature feature : BaseballFeatures.DEMO) {
      String name = feature.field();
      settings.add(FeatureKeys.NUMERIC_FIELD.named(name) + "=" + name);
      settings.add(FeatureKeys.NUMERIC_MIN.named(name) + "=" + feature.low());
      settings.add(FeatureKeys.NUMERIC_MAX.named(name) + "=" + feature.high());
      if (feature.log1p()) {
        settings.add(FeatureKeys.NUMERIC_TRANSFORM.named(name) + "="
            + FeatureKeys.NUMERIC_TRANSFORM.domain().plain(Transform.LOG1P));
      }
    }
    return settings;
  }

  private static SottoConfig config(List<String> settings, GuaranteeLevel level) {
    return SottoConfig.load(ConfigSource.of("the demo", "app.id: " + Demo.APP)
        .withEnvironment(NO_KEY)
        .withFlags(settings)
        .withEmbedded(true)
        .withGuarantee(level));
  }
}
