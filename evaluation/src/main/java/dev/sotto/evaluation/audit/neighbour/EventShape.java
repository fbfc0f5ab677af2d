package dev.sotto.evaluation.audit.neighbour;

import dev.sotto.config.SottoConfig;
import dev.sotto.learner.training.Plan;
import dev.sotto.serdes.feature.FeatureKeys;
import dev.sotto.topology.settings.LateLabels;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelIdRule;
import java.util.List;
import java.util.Optional;

/**
 * Where the records of a configuration carry their coordinates.
 *
 * @param settings what learns from them
 * @param unitFrom where a unit is read, as the configuration says
 * @param unitFields of the value; of the unit, or of all owners; none where it is not read there
 */
record EventShape(LearnerSettings settings, String unitFrom, List<String> unitFields) {
  private static final int MOST_PARTITIONS = 3;
  private static final String UNIT_OF_EXAMPLES = "unit";

  static EventShape of(SottoConfig config) {
    String from = config.effective().get(FeatureKeys.UNIT_FROM);
    List<String> fields = !FeatureKeys.FIELD.equals(from)
        ? List.of()
        : config
            .effective()
            .find(FeatureKeys.UNIT_FIELDS)
            .orElseGet(() ->
                List.of(config.effective().find(FeatureKeys.UNIT_FIELD).orElse(UNIT_OF_EXAMPLES)));
    return new EventShape(config.learner(), from, fields);
  }

  /** What makes all records of one unit. */
  enum Grouping {
    /** A record is one. */
    RECORD,
    /** The id that joins events and labels. */
    LABEL_ID,
    /** What records name as their unit. */
    UNIT
  }

  Grouping grouping() {
    Plan plan = settings.plan();
    if (plan.participation().remembersUnits()) {
      return Grouping.UNIT;
    }
    return settings.labels().isPresent() ? Grouping.LABEL_ID : Grouping.RECORD;
  }

  boolean namesUnits() {
    return !unitFrom.equals(FeatureKeys.NOWHERE);
  }

  boolean hasUnitInKey() {
    return unitFrom.equals(FeatureKeys.KEY);
  }

  boolean hasModelInKey() {
    return settings.modelIds().source() == ModelIdRule.Source.KEY;
  }

  /** The path of the field that joins events and labels; empty where their keys do. */
  Optional<String> idField() {
    return settings.labels().flatMap(LateLabels::id);
  }

  boolean hasIdInKey() {
    return settings.labels().isPresent() && idField().isEmpty();
  }

  /** Whether a key carries no coordinate, so that it may be anything. */
  boolean isKeyFree() {
    return !hasModelInKey() && !hasUnitInKey() && !hasIdInKey();
  }

  int partitions() {
    return settings.layout().mostPartitions(settings, MOST_PARTITIONS);
  }

  /** How far apart events are appended, in milliseconds: many of them wait for labels together. */
  long step() {
    return settings
        .labels()
        .map(each -> Math.max(1, each.patience().toMillis() / 8))
        .orElse(7L);
  }

  /** Whether a record may lack the time at which it was appended. */
  boolean mayLackTime() {
    return !settings.plan().needsLogTime() && settings.labels().isEmpty();
  }
}
