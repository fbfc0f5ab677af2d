package dev.sotto.learner.range;

import dev.sotto.learner.example.Example;
import java.util.Locale;

/** Which coordinates each number without bounds has. */
public enum NumberForm {
  /** Its octaves alone: its range is not measured. */
  OCTAVES(Octaves.COUNT, -1),
  /** Its octaves and, behind them, its place in its measured range with the hats of that. */
  MEASURED(Octaves.COUNT + NumberRange.COUNT, Octaves.COUNT),
  /** Its place alone: a straight line over the measured range, one coordinate. */
  PLACE(1, 0);

  private final int count;
  private final int place;

  NumberForm(int count, int place) {
    this.count = count;
    this.place = place;
  }

  /** The word in published texts. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** How many coordinates there are. */
  public int count() {
    return count;
  }

  /** Whether ranges are measured for it. */
  public boolean isMeasured() {
    return place >= 0;
  }

  /** Whether the first coordinates are those of {@link Octaves}. */
  public boolean hasOctaves() {
    return count >= Octaves.COUNT;
  }

  /** Whether hats follow the place. */
  public boolean hasHats() {
    return this == MEASURED;
  }

  /** The coordinate of the place among these, where {@link #isMeasured}. */
  public int place() {
    return place;
  }

  /** Adds what depends on the range of a finite number, whose coordinates begin at the first. */
  void add(Example example, int first, NumberRange range, double x) {
    if (hasHats()) {
      range.add(example, first + place, x);
    } else {
      example.add(first + place, range.place(x));
    }
  }

  /** What a finite number adds to a score by its range. */
  public double score(double[] weights, int first, NumberRange range, double x) {
    return hasHats()
        ? range.score(weights, first + place, x)
        : weights[first + place] * range.place(x);
  }
}
