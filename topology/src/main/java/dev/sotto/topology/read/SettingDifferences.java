package dev.sotto.topology.read;

import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.settings.NumberText;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.learner.training.Plan;
import dev.sotto.serdes.feature.FeatureMapText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * In which settings a plan differs from the run of a published version, as far as what is published
 * shows them.
 */
public final class SettingDifferences {
  private static final String HATS = "hats ";
  private static final String HIDDEN = "a setting that is not published by itself, such as steps of"
      + " the algorithm, release.every.slots, rounds.lag or start.from";

  private static final String LEFT =
      "start.from was given and is left out, and with it what it carries";

  private final List<String> found = new ArrayList<>();
  private final boolean leftStart;

  private SettingDifferences(boolean leftStart) {
    this.leftStart = leftStart;
  }

  /**
   * One phrase for each setting, at least one.
   *
   * @param entry of the ledger
   * @param manifest of a version of the same run; empty where none is published yet
   * @param leftStart whether the run began at a model, and start.from is not given any more
   */
  public static List<String> of(
      LedgerEntry entry, Optional<ModelSnapshot> manifest, Plan plan, boolean leftStart) {
    SettingDifferences all = new SettingDifferences(leftStart);
    if (leftStart) {
      all.found.add(LEFT);
    }
    manifest.ifPresent(each -> {
      all.lines(
          FeatureMapText.unmeasured(each.features()), FeatureMapText.unmeasured(plan.features()));
      all.compare("loss", each.loss(), plan.lossName());
      all.compare("the number of weights", each.dimension(), plan.dimension());
    });
    all.compare("algorithm", entry.algorithm(), plan.algorithm());
    all.compare("batch.size", entry.terms().batch(), plan.batch());
    all.compare("clip.norm", entry.clip(), plan.clip());
    all.guarantee(entry, plan);
    if (all.found.isEmpty() && entry.sigma() != plan.sigma()) {
      all.compare("the noise (privacy.horizon.rounds)", entry.sigma(), plan.sigma());
    }
    return all.found.isEmpty() ? List.of(HIDDEN) : List.copyOf(all.found);
  }

  private void guarantee(LedgerEntry entry, Plan plan) {
    Guarantee guarantee = entry.guarantee();
    LedgerEntry.Terms terms = entry.terms();
    LedgerEntry.Terms now = plan.terms();
    compare("privacy.unit", guarantee.unit().configName(), plan.unit().configName());
    compare(
        "privacy.adjacency",
        guarantee.adjacency().configName(),
        plan.adjacency().configName());
    compare("privacy.mechanism", guarantee.mechanism(), plan.mechanism().name());
    compare("the mechanism's parameters", terms.mechanismParameters(), now.mechanismParameters());
    compare("privacy.contribution", terms.participation(), now.participation());
    compare("generations", terms.generations(), now.generations());
    compare("privacy.epsilon", entry.budgetEpsilon(), plan.budget().epsilon());
    compare("privacy.delta", guarantee.delta(), plan.budget().delta());
    if (!leftStart) { // it carries both
      compare("privacy.spent.mu (start.from adds to it)", terms.spentMu(), now.spentMu());
      compare("how ranges are measured", terms.rangeWindow(), now.rangeWindow());
    }
    compare("metrics (what they cost a participation)", terms.metricsRatio(), now.metricsRatio());
    compare("the number of candidates", terms.candidates(), now.candidates());
  }

  /** Settings of features, label, unit and events, one a line. */
  private void lines(String then, String now) {
    compare("features.hats", hats(then), hats(now));
    List<String> before = then.lines().filter(each -> !each.startsWith(HATS)).toList();
    List<String> after = now.lines().filter(each -> !each.startsWith(HATS)).toList();
    before.stream()
        .filter(each -> !after.contains(each))
        .forEach(each -> found.add("it had \"" + each + "\""));
    after.stream()
        .filter(each -> !before.contains(each))
        .forEach(each -> found.add("now there is \"" + each + "\""));
  }

  private static String hats(String features) {
    return features
        .lines()
        .filter(each -> each.startsWith(HATS))
        .map(each -> each.substring(HATS.length()))
        .findFirst()
        .orElse("0");
  }

  private void compare(String name, Object then, Object now) {
    if (!then.equals(now)) {
      found.add(name + " was " + text(then) + " and is " + text(now));
    }
  }

  private static String text(Object value) {
    String text = value instanceof Double number ? NumberText.shortest(number) : value.toString();
    return text.isEmpty() ? "nothing" : text;
  }
}
