package dev.sotto.learner.range;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.NormRule;
import java.util.List;

/**
 * The numbers without bounds of an example, and the one place where their ranges enter its
 * coordinates: learners and everybody who scores call {@link #complete}. Each number has the
 * coordinates of its form: those of {@link Octaves} are filled by decoders. The label of a
 * regression may be one number more, which has no coordinates and is measured as the last of them.
 *
 * @param count how many there are, the label apart
 * @param first the first coordinate of the first of them
 * @param norm how the row is brought to norm 1, once it is whole
 * @param ofLabel whether the label's range is measured, too
 * @param form of each number; one whose ranges are measured
 */
public record UnboundedNumbers(
    int count, int first, NormRule norm, boolean ofLabel, NumberForm form) {
  /** Coordinates of each number in the usual form. */
  public static final int COORDINATES = NumberForm.MEASURED.count();

  /** Of examples that have none. */
  public static final UnboundedNumbers NONE = new UnboundedNumbers(0, 0, NormRule.SCALE);

  public UnboundedNumbers {
    if (count < 0 || first < 0) {
      throw new IllegalArgumentException(
          "count and first coordinate must be at least 0, but were " + count + " and " + first);
    }
    if (!form.isMeasured()) {
      throw new IllegalArgumentException("ranges are not measured of " + form.word());
    }
  }

  /** Of the usual form. */
  public UnboundedNumbers(int count, int first, NormRule norm, boolean ofLabel) {
    this(count, first, norm, ofLabel, NumberForm.MEASURED);
  }

  /** Of the usual form, and of examples whose label needs no range. */
  public UnboundedNumbers(int count, int first, NormRule norm) {
    this(count, first, norm, false);
  }

  /** The same of examples that are scored, whose label nobody looks at. */
  public UnboundedNumbers withoutLabel() {
    return new UnboundedNumbers(count, first, norm, false, form);
  }

  /** Whether there are none, and the label is none either. */
  public boolean isEmpty() {
    return count == 0 && !ofLabel;
  }

  /** How many ranges there are, that of the label included. */
  public int ranges() {
    return ofLabel ? count + 1 : count;
  }

  /** The value of one of them, as it is before {@link #complete}; NaN where it is missing. */
  public double value(Example example, int which) {
    return which < count ? example.number(which) : example.label();
  }

  /** Whether labels mean something under some ranges: not before that of the label is known. */
  public boolean hasLabels(List<NumberRange> ranges) {
    return !ofLabel
        || ranges.size() > count && ranges.get(count).state() == NumberRange.State.MEASURED;
  }

  /**
   * Makes an example whole: adds the coordinates of ranges, brings it to its norm, and the label to
   * units of its range. Does nothing with one that is whole already.
   *
   * @param ranges of all numbers; none where they are not known yet: then those coordinates stay 0,
   *     and the label is as it was
   */
  public void complete(Example example, List<NumberRange> ranges) {
    if (example.isWhole()) {
      return;
    }
    for (int i = 0; i < Math.min(count, ranges.size()); i++) {
      double x = example.number(i);
      if (Double.isFinite(x)) {
        form.add(example, first + i * form.count(), ranges.get(i), x);
      }
    }
    if (ofLabel && hasLabels(ranges)) {
      example.label(ranges.get(count).label(example.label()));
    }
    norm.apply(example);
    example.complete();
  }
}
