package dev.sotto.config.settings;

import dev.sotto.learner.accounting.Candidates;
import dev.sotto.learner.loss.ObjectiveSettings;
import dev.sotto.learner.optimizer.settings.Optimizers;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.Domain;
import dev.sotto.learner.training.PlanKeys;
import dev.sotto.serdes.event.EventKeys;
import java.util.List;
import java.util.regex.Pattern;

/** Several configurations that learn from the same slots under one budget (docs/candidates.md). */
public final class CandidateKeys {
  /** What all of their settings begin with. */
  public static final String PREFIX = "candidates.";

  /** The alias of the best of them, unless another one is given. */
  public static final String USUAL_ALIAS = "best";

  /** The share of the budget that compares them, unless given. */
  public static final String USUAL_METRICS_SHARE = "0.1";

  /** Any setting of any of them. */
  public static final ConfigKey<List<String>> ANY = ConfigKey.of(
          PREFIX + ConfigKey.FREE,
          Domain.lists("", values -> true),
          "Settings in which a candidate differs: `candidates.small.ftrl.radius` is `ftrl.radius`"
              + " of the candidate `small`. A model for each candidate learns from the same"
              + " events, `<model>.<candidate>`, and all together cost what the budget says"
              + " (docs/candidates.md). Settings of features, loss and algorithm may differ. With"
              + " candidates `metrics.share` is " + USUAL_METRICS_SHARE
              + " and `gate.alias` is `" + USUAL_ALIAS + "`, unless given.")
      .optional();

  /** All of them, in the order of the manual. */
  public static final List<ConfigKey<?>> KEYS = List.of(ANY);

  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9_-]{0,31}");

  private CandidateKeys() {}

  /** What a name must be. */
  public static String nameRule() {
    return "1 to 32 small letters, digits, dashes and underscores";
  }

  /** The most that there may be. */
  public static int most() {
    return Candidates.MOST;
  }

  /** Whether a candidate may have a name. */
  public static boolean isName(String name) {
    return NAME.matcher(name).matches();
  }

  /** Whether candidates may differ in a setting. */
  public static boolean mayDiffer(String key) {
    return key.equals(Optimizers.ALGORITHM.name())
        || key.equals(PlanKeys.CLIP_NORM.name())
        || ObjectiveSettings.keys().stream().anyMatch(each -> is(each, key))
        || Optimizers.keys().anyMatch(each -> is(each, key))
        || EventKeys.features().stream().anyMatch(each -> is(each, key));
  }

  private static boolean is(ConfigKey<?> declared, String key) {
    return declared.isFamily()
        ? declared.freePart(key) != null
        : declared.name().equals(key);
  }
}
