package dev.sotto.topology.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.learner.training.Plan;
import dev.sotto.serdes.snapshot.PublishedModel;
import dev.sotto.testing.Seed;
import dev.sotto.topology.LearnerDriver;
import dev.sotto.topology.Trial;
import dev.sotto.topology.settings.Layout;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is published names the settings in which a configuration differs. */
class SettingDifferencesTest {
  private static final Plan PLAN = Trial.plan(3, 4);

  @TempDir
  Path folder;

  private LedgerEntry entry;
  private Optional<ModelSnapshot> manifest;

  @BeforeEach
  void learn() {
    Random random = Seed.random(1);
    try (LearnerDriver driver =
        new LearnerDriver(Trial.settings(Layout.DIRECT, Trial.ONE, PLAN), folder, 1)) {
      for (int i = 0; i < 4; i++) {
        driver.pipe(null, Trial.event(random, 3));
      }
      entry = driver.takeLedger().get(0);
      manifest = driver.takeModels().stream().map(PublishedModel::manifest).findFirst();
    }
    assertThat(manifest).isPresent();
  }

  @Test
  void namesBatchAndWeights() {
    assertThat(SettingDifferences.of(entry, manifest, Trial.plan(3, 5), false))
        .contains("batch.size was 4 and is 5");
    assertThat(SettingDifferences.of(entry, Optional.empty(), Trial.plan(3, 5), false))
        .contains("batch.size was 4 and is 5");
    assertThat(SettingDifferences.of(entry, manifest, Trial.plan(4, 4), false))
        .contains("the number of weights was 3 and is 4");
  }

  /** What start.from carried differs too, but nobody has changed it. */
  @Test
  void namesStartFromWhereItIsLeftOut() {
    Plan paid = PLAN.toBuilder().budget(new Budget(1e6, 1e-6, 0.5)).build();
    assertThat(SettingDifferences.of(entry, manifest, paid, true))
        .containsExactly("start.from was given and is left out, and with it what it carries");
    assertThat(SettingDifferences.of(entry, manifest, paid, false))
        .contains("privacy.spent.mu (start.from adds to it) was 0.0 and is 0.5");
  }

  @Test
  void saysThatAnotherSettingDiffersWhereNoneIsShown() {
    assertThat(SettingDifferences.of(entry, manifest, PLAN, false))
        .singleElement()
        .asString()
        .startsWith("a setting that is not published by itself");
  }

  @Test
  void namesLinesOfFeatures() {
    ModelSnapshot before = manifest.orElseThrow();
    ModelSnapshot other = new ModelSnapshot(
        before.modelId(),
        before.runId(),
        before.generation(),
        before.version(),
        before.dimension(),
        before.chunks(),
        before.digest(),
        before.features() + "\nnumeric dow \"dow\" 1 7 identity required\nhats 4",
        "squared",
        before.algorithm(),
        before.last(),
        before.guarantee(),
        before.fingerprint(),
        before.ranges(),
        before.ledgerHash());
    assertThat(SettingDifferences.of(entry, Optional.of(other), PLAN, false))
        .contains("it had \"numeric dow \"dow\" 1 7 identity required\"")
        .contains("features.hats was 4 and is 0")
        .anyMatch(each -> each.startsWith("loss was squared and is "));
  }
}
