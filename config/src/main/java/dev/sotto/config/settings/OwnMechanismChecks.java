package dev.sotto.config.settings;

import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.optimizer.Optimizer;
import dev.sotto.learner.optimizer.settings.Optimizers;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.InvalidSettingException;
import dev.sotto.learner.settings.Settings;
import dev.sotto.learner.training.PlanKeys;
import dev.sotto.learner.training.VersionKeys;
import dev.sotto.topology.settings.ApplicationKeys;
import dev.sotto.topology.settings.LayoutChoice;
import java.util.LinkedHashMap;
import java.util.Map;

/** Refuses settings that do not go with an algorithm that brings a mechanism of its own. */
final class OwnMechanismChecks {
  private static final String METRICS = "beside whose queries no metrics are released";
  private static final String VERSIONS = "which publishes a version for every block";

  /** What an algorithm has instead of a setting that is not used with it. */
  private static final Map<ConfigKey<?>, String> INSTEAD = new LinkedHashMap<>();

  static {
    INSTEAD.put(PlanKeys.GENERATIONS, "which does not restart in generations");
    INSTEAD.put(PlanKeys.EXACT_METRICS, METRICS);
    INSTEAD.put(PlanKeys.METRICS_SHARE, METRICS);
    INSTEAD.put(PlanKeys.BATCH_SIZE, "whose rounds are blocks: block.slots says how large");
    INSTEAD.put(VersionKeys.SLOTS, VERSIONS);
    INSTEAD.put(VersionKeys.INTERVAL, VERSIONS);
  }

  private final Settings settings;
  private final String algorithm;

  OwnMechanismChecks(Settings settings) {
    this.settings = settings;
    this.algorithm = settings.get(Optimizers.ALGORITHM).configName();
  }

  /** Always true; otherwise all that is wrong is recorded. */
  boolean check() {
    boolean sound = true;
    if (settings.isGiven(Mechanisms.MECHANISM)) {
      refuse(Mechanisms.MECHANISM, "which brings the noise mechanism of its queries");
      sound = false;
    }
    for (Map.Entry<ConfigKey<?>, String> each : INSTEAD.entrySet()) {
      if (isOn(each.getKey()) && !settings.isUsed(each.getKey())) {
        refuse(each.getKey(), each.getValue());
        sound = false;
      }
    }
    if (settings.find(ApplicationKeys.LAG).orElse(0) != 0) {
      settings.reject(
          ApplicationKeys.LAG,
          "must be 0 with algorithm " + algorithm
              + ", each of whose queries follows from the answer before");
      sound = false;
    }
    if (!sound) {
      throw new InvalidSettingException(Optimizers.ALGORITHM.name());
    }
    return true;
  }

  /** Whether it was given, and is not switched off. */
  private boolean isOn(ConfigKey<?> key) {
    boolean off = settings.isUsable(key)
        && (settings.get(key).equals(false) || settings.get(key).equals(0.0));
    return settings.isGiven(key) && !off;
  }

  private void refuse(ConfigKey<?> key, String instead) {
    settings.reject(key, "must be absent with algorithm " + algorithm + ", " + instead);
  }

  /** Refuses a layout that sums slots in parts, where an algorithm cannot. */
  void checkLayout(Optimizer optimizer) {
    LayoutChoice layout = settings.get(ApplicationKeys.LAYOUT);
    if (layout.sumsParts()) {
      optimizer.hindersParts().ifPresent(why -> {
        throw settings.rejectValue(
            ApplicationKeys.LAYOUT,
            "be auto, direct or ordered with algorithm " + algorithm + ", " + why,
            layout.configName());
      });
    }
  }
}
