package dev.sotto.learner.training;

import dev.sotto.learner.range.NumberRange;
import dev.sotto.learner.range.RangeWindow;
import dev.sotto.learner.range.UnboundedNumbers;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The numbers without bounds of a plan, and how their ranges come to be known.
 *
 * @param numbers of every example
 * @param known ranges, of a run that begins at a model that has them; else none
 * @param window in which they are measured; of several candidates that of all of them, which may
 *     have more numbers; empty where ranges are known, or there is no number
 */
public record RangeSettings(
    UnboundedNumbers numbers, List<NumberRange> known, Optional<RangeWindow> window) {
  /** Of a plan whose numbers all have bounds. */
  public static final RangeSettings NONE =
      new RangeSettings(UnboundedNumbers.NONE, List.of(), Optional.empty());

  /** Why a model learns nothing whose label has no range. */
  public static final String NO_RANGE_OF_LABEL = "no range of the label was found: too few labels"
      + " stand out of the noise, or zeros alone. Nothing is learned without one; give label.min"
      + " and label.max, from public knowledge";

  /** What becomes of a label that grows. */
  public static final String GROWING_LABEL = "the range of the label is measured once, and stays."
      + " A label that grows or moves later is followed slowly: what lies further than about a"
      + " third of that range from its prediction counts as that third. Give label.min and"
      + " label.max where they are known";

  public RangeSettings {
    known = List.copyOf(known);
    boolean each = known.size() == numbers.ranges() && window.isEmpty();
    boolean measured =
        known.isEmpty() && window.filter(w -> w.numbers() >= numbers.ranges()).isPresent();
    if (!each && !measured) {
      throw new IllegalArgumentException("the ranges of " + numbers.ranges()
          + " numbers must be known or measured, but " + known.size() + " are known"
          + window.map(w -> ", and " + w.numbers() + " are measured").orElse(""));
    }
    if (each && !numbers.hasLabels(known)) {
      throw new IllegalArgumentException(NO_RANGE_OF_LABEL);
    }
    if (numbers.ofLabel() && window.filter(w -> w.share() != 1).isPresent()) {
      throw new IllegalArgumentException("nothing is learned while the range of the label is"
          + " measured, so the share must be 1, but was " + window.get().share());
    }
  }

  /** Numbers whose ranges are measured. */
  public static RangeSettings measured(UnboundedNumbers numbers, RangeWindow window) {
    return new RangeSettings(numbers, List.of(), Optional.of(window));
  }

  /** Numbers whose ranges are known from the start. */
  public static RangeSettings known(UnboundedNumbers numbers, List<NumberRange> ranges) {
    return new RangeSettings(numbers, ranges, Optional.empty());
  }

  /** The same in a window of all candidates, which is as long as the longest of theirs. */
  public RangeSettings in(RangeWindow ofAll) {
    return new RangeSettings(numbers, known, Optional.of(ofAll));
  }

  /** The window in which this model measures something; empty where it has no such numbers. */
  public Optional<RangeWindow> measuring() {
    return window.filter(each -> !numbers.isEmpty());
  }

  /** What is known before the first round of numbers that are measured; empty without any. */
  public List<NumberRange> beginning() {
    return measuring().isEmpty()
        ? List.of()
        : Collections.nCopies(numbers.ranges(), NumberRange.UNKNOWN);
  }

  /** Rounds before whose end nothing is published; 0 without a window. */
  public long rounds() {
    return window.map(RangeWindow::allRounds).orElse(0L);
  }

  /** The factor of a round's gradients, behind the cut. */
  double factor(long round) {
    return measuring().isEmpty() ? 1 : window.get().factor(round);
  }

  /** In one line, the same for equal settings. */
  String describe() {
    return window
        .map(RangeWindow::describe)
        .orElseGet(() -> known.stream()
            .map(each -> each.state().word() + " " + Double.toHexString(each.lo()) + " "
                + Double.toHexString(each.hi()))
            .collect(Collectors.joining(", ")));
  }
}
