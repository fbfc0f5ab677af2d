package dev.sotto.app.init;

import dev.sotto.config.key.ConfigText;
import dev.sotto.learner.settings.NameSuggestion;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.util.Optional;
import java.util.stream.Collectors;

/** The fields that somebody has chosen, checked against those of the sample. */
final class FieldChoices {
  private static final int MOST_NAMED = 50;

  private final Sample sample;
  private final String name;

  /** Of a sample with this name. */
  FieldChoices(Sample sample, String name) {
    this.sample = sample;
    this.name = name;
  }

  /** Refuses any choice of fields, where the sample has none. */
  void refuseAll(String label, UnitChoice unit) {
    if (label != null || unit.field() != null) {
      throw refused("--label and --unit name fields, but the records of " + name
          + " are ready-made examples with their label in them; leave them out");
    }
  }

  /** The field of the label; null where none is chosen. */
  SampleField label(String path) {
    return path == null ? null : field("--label", path);
  }

  /** Refuses a unit that is no id, or the label. */
  void checkUnit(UnitChoice unit, String label) {
    if (unit.field() == null) {
      return;
    }
    SampleField field = field("--unit", unit.field());
    if (field.type() == FieldType.BOOLEAN) {
      throw refused("--unit must be a field with text or whole numbers, but " + unit.field()
          + " is true or false");
    }
    if (unit.field().equals(label)) {
      throw refused("--unit and --label must be two fields, but both are " + label);
    }
  }

  private SampleField field(String flag, String path) {
    SampleField field = sample
        .at(path)
        .or(() -> blanked(path))
        .orElseThrow(() -> refused(flag + " must be a field of " + name + ", but was " + path
            + NameSuggestion.hint(NameSuggestion.of(path, sample.paths()))
            + "; its fields are "
            + sample.paths().stream()
                .limit(MOST_NAMED)
                .map(ConfigText::scalar)
                .collect(Collectors.joining(", "))
            + (sample.paths().size() > MOST_NAMED ? " and more" : "")
            + sample.namesHint().map(hint -> "; " + hint).orElse("")));
    FieldHints.unreadable(field).ifPresent(why -> {
      throw refused(flag + " must be a field that can be read, but of "
          + ConfigText.scalar(field.path()) + " is known: " + why);
    });
    return field;
  }

  /** The field whose name is another only by blanks around it. */
  private Optional<SampleField> blanked(String path) {
    return sample.fields().stream()
        .filter(each -> each.path().trim().equals(path.trim()))
        .findFirst();
  }

  private static SottoException refused(String message) {
    return new SottoException(FailureKind.USAGE, message);
  }
}
