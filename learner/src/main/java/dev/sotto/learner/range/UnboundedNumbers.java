package dev.sotto.learner.range;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.NormRule;
import java.util.List;

/**
 * The numbers without bounds of an example, and the one place where their ranges enter its
 * coordinates: learners and everybody who scores call {@link #complete}. Each number has the
 * coordinates of {@link Octaves}, which decoders fill, and behind them those of
 * {@link NumberRange}.
 *
 * @param count how many there are
 * @param first the first coordinate of the first of them
 * @param norm how the row is brought to norm 1, once it is whole
 */
public record UnboundedNumbers(int count, int first, NormRule norm) {
  /** Coordinates of each number. */
  public static final int COORDINATES = Octaves.COUNT + NumberRange.COUNT;

  /** Of examples that have none. */
  public static final UnboundedNumbers NONE = new UnboundedNumbers(0, 0, NormRule.SCALE);

  public UnboundedNumbers {
    if (count < 0 || first < 0) {
      throw new IllegalArgumentException(
          "count and first coordinate must be at least 0, but were " + count + " and " + first);
    }
  }

  /** Whether there are none. */
  public boolean isEmpty() {
    return count == 0;
  }

  /**
   * Makes an example whole: adds the coordinates of ranges, and brings it to its norm. Does nothing
   * with one that is whole already.
   *
   * @param ranges of all numbers; none where they are not known yet: then those coordinates stay 0
   */
  public void complete(Example example, List<NumberRange> ranges) {
    if (example.isWhole()) {
      return;
    }
    for (int i = 0; i < ranges.size(); i++) {
      double x = example.number(i);
      if (Double.isFinite(x)) {
        ranges.get(i).add(example, first + i * COORDINATES + Octaves.COUNT, x);
      }
    }
    norm.apply(example);
    example.complete();
  }
}
