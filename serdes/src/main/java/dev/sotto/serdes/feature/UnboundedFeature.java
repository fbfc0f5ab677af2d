package dev.sotto.serdes.feature;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.range.NumberForm;
import dev.sotto.learner.range.NumberRange;
import dev.sotto.learner.range.Octaves;
import java.util.ArrayList;
import java.util.List;

/**
 * A number without bounds: its octaves, and the number itself for the example to be completed with
 * once its range is known.
 *
 * @param which of the numbers without bounds it is
 */
record UnboundedFeature(
    FeatureMapBuilder.Unbounded spec, int place, int coordinate, NumberForm form, int which)
    implements Feature {
  @Override
  public RecordStatus addTo(Example example, FieldValues values) {
    RecordStatus status = values.numberAt(place, false);
    if (status != RecordStatus.USED) {
      return Feature.unless(spec.optional(), status);
    }
    double x = values.number(place);
    if (form.hasOctaves()) {
      Octaves.add(example, coordinate, x);
    }
    if (form.isMeasured()) {
      example.number(which, x);
    }
    return RecordStatus.USED;
  }

  /** The names of its coordinates. */
  List<String> names() {
    List<String> names = new ArrayList<>();
    for (int i = 0; form.hasOctaves() && i < Octaves.COUNT; i++) {
      names.add(spec.name() + " octave " + (i - Octaves.COUNT / 2));
    }
    if (form.isMeasured()) {
      names.add(spec.name() + " place");
    }
    for (int i = 0; form.hasHats() && i < NumberRange.HATS.knots(); i++) {
      names.add(spec.name() + " place " + NumberRange.HATS.knot(i));
    }
    return names;
  }
}
