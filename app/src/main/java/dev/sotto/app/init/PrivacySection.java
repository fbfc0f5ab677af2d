package dev.sotto.app.init;

import dev.sotto.config.key.ConfigText;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.key.NoiseKeySettings;
import dev.sotto.learner.training.PlanKeys;
import dev.sotto.serdes.feature.FeatureKeys;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** The unit, the budget and the noise key. */
final class PrivacySection {
  private static final int EPSILON = 1;

  /** Half of {@link #EPSILON}, as costs add up: in squares of mu, at the delta below. */
  private static final double FIRST_RUN = 0.7;

  private static final String METRICS_SHARE = "0.05";
  private static final int FEWEST_UNITS = 20;
  private static final double LEAST_SHARE = 0.01; // of different ids among the records

  private final Sample sample;
  private final ConfigLines lines;
  private final boolean ofAFile;

  /**
   * A section.
   *
   * @param ofAFile whether it is for a model out of a file, with which nobody goes on
   */
  PrivacySection(Sample sample, ConfigLines lines, boolean ofAFile) {
    this.sample = sample;
    this.lines = lines;
    this.ofAFile = ofAFile;
  }

  /**
   * Writes it.
   *
   * @param keyFile the file with the noise key
   */
  void write(UnitChoice unit, String keyFile) {
    lines.comment("Whose contribution is hidden: one record, or everything that one person or"
        + " device ever sends.");
    switch (unit.kind()) {
      case RECORD -> ofRecord("each record by itself; a person with many has less protection");
      case KEY -> ofKey(FeatureKeys.KEY, null);
      case FIELD -> ofKey(FeatureKeys.FIELD, unit.field());
      case NOT_STATED -> notStated();
    }
    budget(unit.kind() == UnitChoice.Kind.KEY || unit.kind() == UnitChoice.Kind.FIELD);
    lines.setting(PlanKeys.DELTA, "1e-6", "far below one over their number");
    lines.gap().setting(NoiseKeySettings.FILE, keyFile, "keep it as long as the model, and secret");
  }

  /** Whoever comes again has spent what earlier runs took: a later run needs a part of its own. */
  private void budget(boolean comesAgain) {
    if (comesAgain && !ofAFile && !lines.isSaid(PlanKeys.EPSILON)) {
      lines.comment("One of them shall spend " + EPSILON + " at most, in all runs together. This"
          + " run takes " + FIRST_RUN
          + ", so that a later one, with other features or another batch,"
          + " can begin at what was learned (start.from, with privacy.epsilon: " + EPSILON + "):"
          + " docs/warm-start.md. Where there will be no other run, say " + EPSILON
          + " here, as sotto learn does.");
      lines.setting(PlanKeys.EPSILON, FIRST_RUN, "the most that one of them may spend in this run");
      return;
    }
    if (comesAgain && ofAFile && !lines.isSaid(PlanKeys.EPSILON)) {
      lines.comment("The whole budget, as nobody goes on with a model out of a file. For a run that"
          + " others are to follow sotto init leaves a part: docs/warm-start.md.");
    }
    lines.setting(PlanKeys.EPSILON, EPSILON, "the most that one of them may ever spend");
  }

  /** Of a file the exact figures are printed, and nobody pays for others. */
  void suggestMetrics() {
    if (lines.isSaid(PlanKeys.METRICS_SHARE)) {
      return;
    }
    lines
        .gap()
        .comment("Without private metrics, since sotto learn prints the exact ones of the file. On"
            + " a topic this line pays for them (docs/metrics.md):")
        .suggested(PlanKeys.METRICS_SHARE, METRICS_SHARE, "of the budget, as mu squared");
  }

  /** The share that pays for figures of how good the model is. */
  void writeMetrics() {
    double more = 1 / Math.sqrt(1 - Double.parseDouble(METRICS_SHARE)) - 1;
    lines
        .gap()
        .comment("How good the model is on the events themselves: loss and accuracy of predictions"
            + " before they are learned from, under noise, for the page, sotto metrics and the"
            + " alarm of drift (docs/metrics.md). It is paid for out of the budget above: the model"
            + " has "
            + String.format(Locale.ROOT, "%.1f", 100 * more)
            + " % more noise for it. Without this line nothing says how good the model is.");
    lines.setting(PlanKeys.METRICS_SHARE, METRICS_SHARE, "of the budget, as mu squared");
  }

  private void notStated() {
    if (sample.isPublic()) {
      candidates();
      ofRecord("each record by itself, as nothing else was said");
    } else {
      lines.toDo(
          PlanKeys.UNIT,
          PrivacyUnit.RECORD.configName() + ", or " + PrivacyUnit.KEY.configName()
              + " with the lines below in place of " + PlanKeys.HORIZON);
      if (sample.fields().isEmpty()) {
        lines.suggested(FeatureKeys.UNIT_FROM, FeatureKeys.KEY, "the record's key");
      } else {
        lines.suggested(
            FeatureKeys.UNIT_FROM, FeatureKeys.FIELD, "or key: the record's key, without a field");
        lines.suggested(
            FeatureKeys.UNIT_FIELD, ConfigText.TO_DO, "the field with the id; then no feature");
      }
      lines.suggested(PlanKeys.PARTICIPATIONS, PlanKeys.USUAL_PARTICIPATIONS, "");
      horizon();
    }
  }

  private void ofRecord(String comment) {
    lines.setting(PlanKeys.UNIT, PrivacyUnit.RECORD.configName(), comment);
    horizon();
  }

  private void horizon() {
    lines.setting(
        PlanKeys.HORIZON, PlanKeys.ENDLESS, "noise with which all rounds ever fit the budget");
  }

  private void ofKey(String from, String field) {
    lines.setting(PlanKeys.UNIT, PrivacyUnit.KEY.configName());
    lines.setting(FeatureKeys.UNIT_FROM, from);
    if (field != null) {
      lines.setting(FeatureKeys.UNIT_FIELD, field);
    }
    OptionalLong records = recordsOfOne(field);
    if (records.isPresent()) {
      lines.setting(
          PlanKeys.RECORDS,
          records.getAsLong(),
          "of one of them, as in the sample: how many rounds the noise is for follows from it");
      return;
    }
    lines.setting(
        PlanKeys.PARTICIPATIONS,
        PlanKeys.USUAL_PARTICIPATIONS,
        "noise with which one may be in this number of rounds");
    lines.suggested(PlanKeys.RECORDS, 100, "instead: of one of them, where that is publicly known");
  }

  /** On average, where the sample is public and its units are in a field. */
  private OptionalLong recordsOfOne(String field) {
    return sample.fields().stream()
        .filter(each -> each.path().equals(field))
        .flatMap(each -> each.statistics().stream())
        .filter(each -> each.distinct() > 0)
        .mapToLong(each -> Math.max(1, Math.round((double) each.count() / each.distinct())))
        .findFirst();
  }

  /** Fields whose values come back, as ids of persons do. */
  private void candidates() {
    List<SampleField> found = sample.fields().stream()
        .filter(PrivacySection::comesBack)
        .sorted(Comparator.comparing(each -> -each.statistics().orElseThrow().distinct()))
        .toList();
    if (!found.isEmpty()) {
      lines.comment("By their values these could be ids of units (sotto init --unit FIELD):");
      found.forEach(each -> {
        ValueStatistics values = each.statistics().orElseThrow();
        lines.item(ConfigText.scalar(each.path()) + ": " + values.distinct()
            + " different values in " + values.count() + " records");
      });
    }
  }

  private static boolean comesBack(SampleField field) {
    ValueStatistics values = field.statistics().orElse(null);
    return values != null
        && FieldHints.unreadable(field).isEmpty()
        && (field.type() == FieldType.TEXT || values.isWhole() && FieldHints.isId(field))
        && values.distinct() >= FEWEST_UNITS
        && values.distinct() >= LEAST_SHARE * values.count()
        && !values.isMostlyUnique();
  }
}
