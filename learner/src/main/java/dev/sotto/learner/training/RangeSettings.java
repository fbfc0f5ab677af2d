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

  public RangeSettings {
    known = List.copyOf(known);
    boolean each = known.size() == numbers.count() && window.isEmpty();
    boolean measured =
        known.isEmpty() && window.filter(w -> w.numbers() >= numbers.count()).isPresent();
    if (!each && !measured) {
      throw new IllegalArgumentException("the ranges of " + numbers.count()
          + " numbers must be known or measured, but " + known.size() + " are known"
          + window.map(w -> ", and " + w.numbers() + " are measured").orElse(""));
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
        : Collections.nCopies(numbers.count(), NumberRange.UNKNOWN);
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
