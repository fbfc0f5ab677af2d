package dev.sotto.testkit;

import static dev.sotto.testkit.MeasuredNumbersTest.SHORT;
import static dev.sotto.testkit.MeasuredNumbersTest.WINDOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.range.RangeWindow;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.replay.recording.Recording;
import dev.sotto.serdes.feature.FeatureMapText;
import dev.sotto.testing.Seed;
import dev.sotto.testkit.MeasuredNumbersTest.Published;
import dev.sotto.topology.settings.LearnerSettings;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Ranges of numbers that several workers count, or several candidates, or that are counted beside
 * noise whose columns differ: through the whole learner, under crashes.
 */
class SharedWindowsTest {
  private static final int NO_GAPS = Integer.MAX_VALUE;

  @TempDir
  Path folder;

  /** The third has a window of 66 rounds: more than the sums of rounds that are kept elsewhere. */
  @ParameterizedTest
  @CsvSource({
    "rounds, 1, 500, ''",
    "rounds, 3, 200, 'state.every.rounds=3 metrics.share=0.1'",
    "rounds, 3, 120, 'batch.size=3'",
    "ordered, 2, 250, 'candidates.a.ftrl.radius=1 candidates.octaves.features.ranges=none"
        + " state.every.rounds=3'",
    "direct, 1, 500, 'candidates.a.ftrl.radius=1 candidates.b.features.numeric.b.min=0"
        + " candidates.b.features.numeric.b.max=1 privacy.contribution=first-of-id unit.from=key'",
    "direct, 1, 500, 'privacy.mechanism=binary-tree'",
    "direct, 1, 500, 'privacy.generations=constant privacy.generations.rounds=20'"
  })
  void publishTheSameBytes(String layout, int partitions, int events, String more) {
    String[] flags = Learners.and(("layout=" + layout + " " + more).trim().split(" "), SHORT);
    FaultSchedules.Summary summary = FaultSchedules.of(
            Learners.ofMeasuredNumbers(folder, flags),
            MeasuredNumbersTest.events(partitions, events, 5, 7))
        .seeds(Seed.of(7), 2)
        .assertSameOutput();
    assertThat(summary.rounds()).isGreaterThan(5);
    assertThat(summary.crashes()).isPositive();
  }

  /** Whoever counts: a trainer alone, or workers. */
  @Test
  void workersFindTheRangesOfOneTrainer() {
    Recording events = MeasuredNumbersTest.events(1, 400, 5, NO_GAPS);
    List<ModelSnapshot> alone = manifests("direct", events);
    List<ModelSnapshot> rounds = manifests("rounds", events);
    assertThat(rounds).hasSizeGreaterThan(10);
    for (int i = 0; i < rounds.size(); i++) {
      assertThat(rounds.get(i).digest()).isEqualTo(alone.get(i).digest());
      assertThat(rounds.get(i).features()).isEqualTo(alone.get(i).features());
    }
  }

  private List<ModelSnapshot> manifests(String layout, Recording events) {
    LearnerSettings settings = Learners.ofMeasuredNumbers(folder, "layout=" + layout, SHORT);
    return MeasuredNumbersTest.published(settings, events).manifests();
  }

  /** Each counts for itself; none is published before the others, and all state one cost. */
  @Test
  void candidatesArePublishedBehindOneWindow() {
    LearnerSettings settings = Learners.ofMeasuredNumbers(
        folder,
        "layout=direct",
        SHORT,
        "candidates.both.ftrl.radius=1",
        "candidates.octaves.features.ranges=none");
    Published published =
        MeasuredNumbersTest.published(settings, MeasuredNumbersTest.events(1, 400, 5, NO_GAPS));
    assertThat(published.entries()).containsOnlyKeys("model.both", "model.octaves");
    List<LedgerEntry> both = published.entries().get("model.both");
    List<LedgerEntry> octaves = published.entries().get("model.octaves");
    assertThat(both).hasSizeGreaterThan(10);
    for (int i = 0; i < both.size(); i++) {
      assertThat(both.get(i).slots()).isEqualTo(WINDOW + 12L * i);
      assertThat(octaves.get(i).slots()).isEqualTo(both.get(i).slots());
      assertThat(octaves.get(i).guarantee()).isEqualTo(both.get(i).guarantee());
      assertThat(octaves.get(i).terms()).isEqualTo(both.get(i).terms());
    }
    for (ModelSnapshot each : published.manifests()) {
      FeatureMapText text = FeatureMapText.parse(each.features());
      boolean measures = each.modelId().equals("model.both");
      assertThat(text.further("window").isPresent()).isEqualTo(measures);
      assertThat(text.ranges()).hasSize(measures ? 2 : 0);
    }
    LedgerEntry first = both.get(0);
    RangeWindow window = RangeWindow.parse(first.terms().rangeWindow()).orElseThrow();
    RangeWindow ofOne = new RangeWindow(
        window.numbers(), window.rounds(), window.sigma() / Math.sqrt(2), window.share());
    assertThat(MeasuredNumbersTest.faults(MeasuredNumbersTest.with(first, ofOne.describe())))
        .anyMatch(each -> each.contains("sigma must be larger"));
  }
}
