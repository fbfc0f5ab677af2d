package dev.sotto.config.settings;

import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.Domain;
import dev.sotto.learner.settings.Settings;
import dev.sotto.learner.training.PlanKeys;
import dev.sotto.serdes.record.ModelAlias;
import java.util.List;
import java.util.Optional;

/** Which alias the gate moves. */
public final class GateSettings {
  public static final ConfigKey<String> ALIAS = ConfigKey.of(
          "gate.alias",
          Domain.text("an alias", GateSettings::isAlias),
          "`run` moves this alias to the newest version where its private loss is certainly"
              + " below that of the version that it names (docs/aliases.md, \"The gate\"). Needs"
              + " `metrics.share`. Without it no alias moves by itself.")
      .optional();

  /** All of them, in the order of the manual. */
  public static final List<ConfigKey<?>> KEYS = List.of(ALIAS);

  private GateSettings() {}

  private static boolean isAlias(String text) {
    try {
      return text.equals(ModelAlias.requireName(text));
    } catch (IllegalArgumentException wrong) {
      return false;
    }
  }

  /** Out of settings; empty where the gate is off. */
  public static Optional<String> read(Settings settings) {
    Optional<String> alias = settings.find(ALIAS);
    if (alias.isPresent()
        && settings.get(PlanKeys.METRICS_SHARE) == 0
        && !settings.get(PlanKeys.EXACT_METRICS)) {
      throw settings.reject(ALIAS, "means nothing here: it needs " + PlanKeys.METRICS_SHARE);
    }
    return alias;
  }
}
