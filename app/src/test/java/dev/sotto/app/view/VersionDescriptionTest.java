package dev.sotto.app.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.app.view.VersionDescription.Confirmed;
import dev.sotto.evaluation.text.JsonRenderer;
import dev.sotto.evaluation.text.TextRenderer;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.description.Section;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.serdes.snapshot.PublishedModel;
import java.util.List;
import org.junit.jupiter.api.Test;

class VersionDescriptionTest {
  private static PublishedModel model(double epsilon, boolean last) {
    ModelSnapshot manifest = new ModelSnapshot(
        "late",
        new byte[16],
        0,
        7_000,
        3,
        1,
        new byte[32],
        "x",
        "logistic",
        "private-ftrl",
        last,
        MadeEntries.guarantee(epsilon),
        new byte[32],
        List.of(new OffsetRange(0, 5, 90_000)),
        new byte[32]);
    return new PublishedModel(manifest, new double[] {0.5, -0.0, 1e-9});
  }

  private static List<String> answer(Section version) {
    return TextRenderer.of(version, 96, false).lines().toList();
  }

  @Test
  void answersInEightLines() {
    LedgerEntry entry = MadeEntries.entry("late", 7_000, 0.5, false);
    Section version = VersionDescription.of(model(0.5, false), Confirmed.YES, entry, false);
    assertThat(answer(version))
        .containsExactly(
            "model late, version 7,000: whole, and its ledger entry confirms it.",
            "Cost so far: epsilon 0.5000 at delta 0.000001, for each record; 1.5000 left of the budget of 2.",
            "Learned from 700,000 slots by private-ftrl with loss logistic: 3 weights.",
            TextRenderer.MORE);
  }

  @Test
  void saysWhetherToTrustIt() {
    assertThat(answer(VersionDescription.of(model(0.5, false), Confirmed.NO, null, false))
            .get(0))
        .contains("IS NOT THE ONE THAT ITS LEDGER ENTRY IS ABOUT: do not use it");
    assertThat(answer(VersionDescription.of(model(0.5, false), Confirmed.NO_ENTRY, null, false))
            .get(0))
        .contains("the ledger has no entry of it");
    assertThat(answer(VersionDescription.of(model(0.5, false), Confirmed.NO_LEDGER, null, false))
            .get(0))
        .contains("it comes from a file");
    assertThat(Confirmed.of(null)).isEqualTo(Confirmed.NO_ENTRY);
    assertThat(Confirmed.of(true)).isEqualTo(Confirmed.YES);
    assertThat(Confirmed.of(false)).isEqualTo(Confirmed.NO);
  }

  @Test
  void saysThatNothingIsHiddenAndThatItIsTheLast() {
    LedgerEntry exact = MadeEntries.entry("late", 7_000, 0.5, true, Double.POSITIVE_INFINITY);
    String text = TextRenderer.of(
        VersionDescription.of(model(0.5, true), Confirmed.YES, exact, false), 96, false);
    assertThat(text).contains("NO GUARANTEE: this run publishes exact");
    assertThat(TextRenderer.of(
            VersionDescription.of(
                model(Double.POSITIVE_INFINITY, true), Confirmed.YES, null, false),
            96,
            false))
        .contains("NO GUARANTEE: nothing is hidden.", "It is the last one");
  }

  @Test
  void writesTheManifestWithoutBraces() {
    LedgerEntry entry = MadeEntries.entry("late", 7_000, 0.5, false);
    Section version = VersionDescription.of(model(0.5, false), Confirmed.YES, entry, false);
    assertThat(TextRenderer.of(version).lines().map(line -> line.replaceAll(" +", " ")))
        .contains(
            "version 7,000",
            "guarantee.unit record",
            "ranges partition 0, from 5, to 90,000",
            "terms.batch 100",
            "weight 0 0.5 input 0")
        .noneMatch(each -> each.contains("{"));
  }

  @Test
  void givesProgramsTheFieldsOfBeforeInTheirOrder() {
    Section version = VersionDescription.of(model(0.5, false), Confirmed.NO_ENTRY, null, true);
    assertThat(JsonRenderer.fields(version).keySet())
        .containsExactly(
            "model",
            "run",
            "generation",
            "version",
            "final",
            "digest",
            "algorithm",
            "loss",
            "features",
            "dimension",
            "rows",
            "tail",
            "guarantee",
            "ranges",
            "ledgerHash",
            "fingerprint",
            "weights",
            "weightNames",
            "ledgerMatches",
            "terms",
            "curves");
  }
}
