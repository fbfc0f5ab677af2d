package dev.sotto.app.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.app.view.LedgerDescription.OfModel;
import dev.sotto.evaluation.text.JsonRenderer;
import dev.sotto.evaluation.text.TextRenderer;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.description.Section;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LedgerDescriptionTest {
  private static List<LedgerEntry> entries(String model, long from, long to) {
    return LongStream.rangeClosed(from, to)
        .mapToObj(round -> MadeEntries.entry(model, round, round / 64.0, false))
        .toList();
  }

  private static List<String> answer(Section ledger) {
    return TextRenderer.of(ledger, 96, false).lines().toList();
  }

  @Test
  void answersInEightLinesAndSaysThatThereAreEarlierEntries() {
    Section ledger = LedgerDescription.of(
        List.of(new OfModel(entries("clicks", 21, 40), 3, 1_240)), List.of(), true);
    assertThat(answer(ledger))
        .containsExactly(
            "The chain is whole: 1,240 entries of 1 model, and every figure follows from its entry.",
            "model clicks: epsilon 0.6250 at delta 0.000001, for each record; 1.3750 left of the budget of 2.",
            "  round  slots          mu     epsilon  at the limit      left         offsets",
            "  38     3,800  0.14843750  0.59375000    2.00000000  1.406250  0:[3700, 3800)",
            "  39     3,900  0.15234375  0.60937500    2.00000000  1.390625  0:[3800, 3900)",
            "  40     4,000  0.15625000  0.62500000    2.00000000  1.375000  0:[3900, 4000)",
            "1,237 earlier entries: --last 0",
            TextRenderer.MORE);
    assertThat(TextRenderer.of(ledger))
        .contains("model clicks: blt, rounds of 100 slots, unit record (zero-out)", "2,100")
        .contains("1,220 earlier entries: --last 0");
  }

  @Test
  void saysNothingOfEarlierEntriesWhereThereAreNone() {
    Section ledger =
        LedgerDescription.of(List.of(new OfModel(entries("clicks", 1, 2), 3, 2)), List.of(), true);
    assertThat(TextRenderer.of(ledger)).doesNotContain("earlier");
  }

  @Test
  void saysThatOnlyItsEndWasRead() {
    Section ledger =
        LedgerDescription.of(List.of(new OfModel(entries("clicks", 5, 6), 3, 2)), List.of(), false);
    assertThat(answer(ledger).get(0)).startsWith("The end of the chain was read, and holds: 2 ");
  }

  @Test
  void putsFaultsInFront() {
    Section ledger = LedgerDescription.of(
        List.of(new OfModel(entries("clicks", 1, 2), 3, 2)),
        List.of("entry 2: another hash", "entry 3: another sigma"),
        true);
    assertThat(answer(ledger).subList(0, 3))
        .containsExactly(
            "THE LEDGER DOES NOT HOLD (2 faults):",
            "entry 2: another hash",
            "entry 3: another sigma");
    assertThat(JsonRenderer.of(ledger))
        .startsWith("{\"verified\":false,\"readWhole\":true,\"faults\":[\"entry 2");
  }

  @Test
  void saysThatNothingIsThere() {
    Section none = LedgerDescription.of(List.of(), List.of(), true);
    assertThat(answer(none)).containsExactly("No entry has been committed yet.");
  }

  @Test
  void saysThatExactMetricsLeaveNoGuarantee() {
    LedgerEntry exact = MadeEntries.entry("clicks", 1, 0.5, false, Double.POSITIVE_INFINITY);
    Section ledger =
        LedgerDescription.of(List.of(new OfModel(List.of(exact), 3, 1)), List.of(), true);
    assertThat(answer(ledger).get(1)).startsWith("model clicks: NO GUARANTEE");
  }

  @Test
  void namesTheFirstOfManyModels() {
    List<OfModel> models = LongStream.range(0, 12)
        .mapToObj(each -> new OfModel(entries("m" + each, 1, 2), 3, 2))
        .toList();
    List<String> answer = answer(LedgerDescription.of(models, List.of(), true));
    assertThat(answer).hasSizeLessThanOrEqualTo(9).contains("and 9 models more");
  }
}
