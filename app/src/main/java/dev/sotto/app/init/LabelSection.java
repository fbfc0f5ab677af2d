package dev.sotto.app.init;

import dev.sotto.config.key.ConfigText;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.loss.ObjectiveSettings;
import dev.sotto.serdes.feature.FeatureKeys;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The label and the loss. */
final class LabelSection {
  private static final int MOST_CANDIDATES = 10;
  private static final List<String> CHOICES = List.of(
      "0 and 1, or true and false: loss: logistic",
      "a number that counts as 1 above a threshold: loss: logistic, label.threshold: 15",
      "texts of which some count as 1: loss: logistic, label.classes: [yes]",
      "one of several classes: loss: softmax, label.names: [red, green, blue]",
      "a number: loss: squared, whose range is measured in the first slots. Where its bounds are"
          + " known, or where it grows later: label.min: 0, label.max: 100");

  private final Sample sample;
  private final ConfigLines lines;
  private final boolean measures;

  /**
   * A section.
   *
   * @param measures whether the range of a label that is a number may be left to be measured
   */
  LabelSection(Sample sample, ConfigLines lines, boolean measures) {
    this.sample = sample;
    this.lines = lines;
    this.measures = measures;
  }

  /**
   * Writes it.
   *
   * @param label null where nobody has said it
   */
  void write(SampleField label) {
    lines.comment("What is to be predicted.");
    if (label == null) {
      candidates();
      lines.toDo(
          FeatureKeys.LABEL_FIELD,
          "one of the fields above, which is then no feature (sotto init --label FIELD)");
      toDoLoss();
      return;
    }
    Optional<LabelProposal> proposal =
        sample.isPublic() ? LabelProposal.ofValues(label, measures) : LabelProposal.ofType(label);
    lines.setting(
        FeatureKeys.LABEL_FIELD,
        label.path(),
        proposal.map(LabelProposal::reason).orElse(label.type().words()));
    if (proposal.isEmpty() && label.type() == FieldType.TEXT && !isStated()) {
      toDoClasses();
    } else if (proposal.isEmpty()) {
      toDoLoss();
    } else {
      proposal.get().settings().forEach(lines::setting);
    }
  }

  private boolean isStated() {
    return lines.isStated(ObjectiveSettings.LOSS) || lines.isStated(ObjectiveSettings.LABEL_NAMES);
  }

  /** Which texts there are stays in the sample, where this one is not public. */
  private void toDoClasses() {
    lines.comment(
        "Two classes: state the texts that count as 1, as in [late, very late]; all others"
            + " count as 0. Without that line true, yes, y, t and on count as 1, and false, no, n,"
            + " f and off as 0.");
    lines.comment("Several classes instead: loss: softmax, label.names: [red, green, blue].");
    lines.setting(ObjectiveSettings.LOSS, Losses.LOGISTIC.configName());
    lines.toDo(FeatureKeys.LABEL_CLASSES, "");
  }

  private void toDoLoss() {
    lines.comment("The loss, with the rule for the label where one is needed:");
    CHOICES.forEach(lines::item);
    lines.toDo(ObjectiveSettings.LOSS, "");
  }

  /** Fields with few values first. */
  private void candidates() {
    List<SampleField> found = sample.fields().stream()
        .filter(each -> FieldHints.unreadable(each).isEmpty()
            && FieldHints.noFeature(each).isEmpty()
            && each.statistics().flatMap(ValueStatistics::listed).isPresent()
            && LabelProposal.ofValues(each, measures).isPresent())
        .sorted(Comparator.comparing(each -> each.statistics().orElseThrow().distinct()))
        .limit(MOST_CANDIDATES)
        .toList();
    if (!found.isEmpty()) {
      lines.comment("By their values these could be labels:");
      found.forEach(each -> lines.oneLine(ConfigText.scalar(each.path()) + ": "
          + LabelProposal.ofValues(each, measures).orElseThrow().line()));
    }
  }
}
