package dev.sotto.learner.accounting;

import dev.sotto.learner.description.FigureFormat;
import dev.sotto.learner.description.Section;

/**
 * The models that learn from the same slots beside each other, at one price: candidates among which
 * somebody chooses (docs/candidates.md). All of them have the same rounds, unit, participation and
 * mechanism, and the same ratio of noise to clip, so that n of them cost what one does whose ratio
 * of clip to noise is sqrt(n) times as large.
 *
 * @param number how many there are, the model itself included; at least 1
 * @param digest of the settings of all of them, in hexadecimal: a change of one is a new run of
 *     all; empty where there is one
 */
public record Candidates(int number, String digest) {
  /** The most that there may be. */
  public static final int MOST = 16;

  /** A model that learns alone. */
  public static final Candidates ALONE = new Candidates(1, "");

  public Candidates {
    if (number < 1 || number > MOST) {
      throw new IllegalArgumentException(
          "candidates must be 1 to " + MOST + ", but were " + number);
    }
    if (number == 1 && !digest.isEmpty()) {
      throw new IllegalArgumentException("a model that learns alone has no other settings");
    }
  }

  /** A number of them, whose settings do not matter. */
  public static Candidates of(int number) {
    return new Candidates(number, "");
  }

  /**
   * By how much the ratio of clip to noise of one is smaller than that of a single release which
   * costs as much as all of them together: sqrt(number), from above.
   */
  public double factor() {
    return number == 1 ? 1 : Math.nextUp(Math.sqrt(number));
  }

  /** What costs and noise of a plan are with them; nothing of a model that learns alone. */
  public Section describe() {
    return number == 1
        ? Section.untitled()
        : Section.untitled()
            .lines(number + " candidates learn from the same records: mu and epsilon are those of"
                + " all of them together, and each has " + FigureFormat.number(factor())
                + " times the noise that it would need alone");
  }

  /** The same of costs that were published. */
  public Section describePublished() {
    return number == 1
        ? Section.untitled()
        : Section.untitled()
            .lines("these are the figures of all " + number
                + " candidates together: not to be added up");
  }

  /** Whose a cost is, as words behind what it pays for. */
  public String words() {
    return number == 1 ? "" : " of all candidates";
  }
}
