package dev.sotto.serdes.feature;

import dev.sotto.learner.range.NumberRange;
import java.util.Optional;

/**
 * From the scale on which a label is learned to the unit of its field: a label with bounds is
 * learned from 0 to 1, one whose range was measured in units of that, from its middle.
 *
 * @param zero what 0 is
 * @param one how much 1 is
 */
public record LabelScale(double zero, double one) {
  static Optional<LabelScale> of(FeatureMapBuilder map) {
    if (map.labelRule instanceof LabelRule.Range range) {
      return Optional.of(new LabelScale(range.min(), range.max() - range.min()));
    }
    if (!(map.labelRule instanceof LabelRule.Measured)) {
      return Optional.empty();
    }
    NumberRange found = map.labelRange;
    if (found == null || found.state() != NumberRange.State.MEASURED) {
      throw new IllegalArgumentException("nothing was learned of the label "
          + CanonicalText.quoted(map.labelField) + ", whose range was not found"
          + (found == null ? "" : " (" + found.state().word() + ")")
          + ": give label.min and label.max, and learn again");
    }
    return Optional.of(new LabelScale(found.middle(), found.hi() - found.lo()));
  }

  /** A label, or a prediction of one, in the unit of its field. */
  public double value(double learned) {
    return zero + one * learned;
  }
}
