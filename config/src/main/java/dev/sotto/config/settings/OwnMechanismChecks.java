package dev.sotto.config.settings;

import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.optimizer.Optimizer;
import dev.sotto.learner.optimizer.Optimizers;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.InvalidSettingException;
import dev.sotto.learner.settings.Settings;
import dev.sotto.learner.training.PlanKeys;
import dev.sotto.learner.training.VersionKeys;
import dev.sotto.topology.settings.ApplicationKeys;
import dev.sotto.topology.settings.LayoutChoice;

/** Refuses settings that do not go with an algorithm that brings a mechanism of its own. */
final class OwnMechanismChecks {
  private final Settings settings;
  private final String algorithm;

  OwnMechanismChecks(Settings settings) {
    this.settings = settings;
    this.algorithm = settings.get(Optimizers.ALGORITHM).configName();
  }

  /** Always true; otherwise all that is wrong is recorded. */
  boolean check() {
    boolean sound = Settings.attempt(
            () -> refuse(Mechanisms.MECHANISM, "which brings the noise mechanism of its queries"))
        .isPresent();
    sound &= Settings.attempt(
            () -> refuse(PlanKeys.GENERATIONS, "which does not restart in generations"))
        .isPresent();
    sound &= Settings.attempt(this::refuseMetrics).isPresent();
    sound &= Settings.attempt(this::refuseLag).isPresent();
    if (!sound) {
      throw new InvalidSettingException(Optimizers.ALGORITHM.name());
    }
    return true;
  }

  private boolean refuseMetrics() {
    if (settings.get(PlanKeys.METRICS_SHARE) > 0 || settings.get(PlanKeys.EXACT_METRICS)) {
      throw settings.reject(
          settings.get(PlanKeys.EXACT_METRICS) ? PlanKeys.EXACT_METRICS : PlanKeys.METRICS_SHARE,
          "must be absent with algorithm " + algorithm
              + ", beside whose queries no metrics are released");
    }
    return true;
  }

  private boolean refuseLag() {
    if (settings.find(ApplicationKeys.LAG).orElse(0) != 0) {
      throw settings.reject(
          ApplicationKeys.LAG,
          "must be 0 with algorithm " + algorithm
              + ", each of whose queries follows from the answer before");
    }
    return true;
  }

  /** What depends on the queries of a block; nothing where a round is one query. */
  void checkLayout(Optimizer optimizer) {
    if (optimizer.block().isEmpty()) {
      return;
    }
    QuerySchedule queries = optimizer.block().get();
    refuse(PlanKeys.BATCH_SIZE, "whose rounds are blocks: block.slots says how large");
    refuse(VersionKeys.SLOTS, "which publishes a version for every block");
    refuse(VersionKeys.INTERVAL, "which publishes a version for every block");
    boolean whole = queries.groups() == 1
        && queries.segments().stream().allMatch(each -> each.first() == 0 && each.batches() == 1);
    LayoutChoice layout = settings.get(ApplicationKeys.LAYOUT);
    boolean counts = optimizer.norms(queries.queries()) != null;
    if (layout.sumsParts() && counts) {
      throw settings.rejectValue(
          ApplicationKeys.LAYOUT,
          "be auto, direct or ordered with algorithm " + algorithm
              + " and a clip that follows its gradients (or heavy.clip: rule be given)",
          layout.configName());
    }
    if (layout.sumsParts() && !whole) {
      throw settings.rejectValue(
          ApplicationKeys.LAYOUT,
          "be auto, direct or ordered with algorithm " + algorithm
              + ", some of whose queries read a part of a block",
          layout.configName());
    }
  }

  private boolean refuse(ConfigKey<?> key, String why) {
    if (settings.isGiven(key)) {
      throw settings.reject(key, "must be absent with algorithm " + algorithm + ", " + why);
    }
    return true;
  }
}
