package dev.sotto.topology.start;

import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.Domain;
import java.util.List;

/** The setting that names the model from which a run begins. */
public final class StartKeys {
  public static final ConfigKey<String> START_FROM = ConfigKey.of(
          "start.from",
          Domain.text(
              "a topic that ends with .snapshots, with @ and a version or not, or a model file"
                  + " (sotto snapshot --out FILE)",
              text -> !text.isBlank()),
          "Begins a new run at published weights: `<app.id>.snapshots` of a learner on the same"
              + " cluster, `@` and a version if not the newest, or a model file of `sotto"
              + " snapshot --out`. The new ledger begins with the old cost, unless the run learns"
              + " newer records only (docs/warm-start.md).")
      .optional();

  /** In the order of the manual. */
  public static final List<ConfigKey<?>> ALL = List.of(START_FROM);

  private StartKeys() {}
}
