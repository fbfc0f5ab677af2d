package dev.sotto.evaluation.audit.subject;

import dev.sotto.learner.example.Slot;
import dev.sotto.learner.training.Plan;
import java.util.Optional;

/** A learner under audit: it learns from slots and releases noisy prefix sums. */
public interface AuditSubject {
  /** A few words for reports. */
  String name();

  /**
   * A run before its first slot.
   *
   * @param plan what is claimed; the subject may do otherwise
   * @param identity key and model
   * @param window the coordinates that the audit looks at
   */
  Run start(Plan plan, Identity identity, Window window);

  /**
   * Which run it is: two runs of one identity and one history may share their noise, no others may.
   *
   * @param secret 32 bytes from which all noise follows; not copied
   * @param model the model's id
   */
  record Identity(byte[] secret, String model) {}

  /**
   * Coordinates {@code from} to {@code from + count - 1}.
   *
   * @param from from 0
   * @param count at least 1
   */
  record Window(int from, int count) {}

  /** One run. Not safe for use by several threads. */
  interface Run {
    /**
     * The slot of the open round, or block, from 0, that must be filled next: in blocks a subject
     * reads what it likes.
     */
    long nextSlot();

    /** Fills one slot of the open round, or of the open query of a block. */
    void fill(Slot slot);

    /**
     * Closes the full round, or query. Where queries ask at several points, it is called once for
     * each of them, and gives one answer after the other.
     *
     * @param into gets the noisy prefix sum (not mean), or the query's noisy sum, within the
     *     window, as an observer of all released weights can know it; where slots move a path, the
     *     public point where it began less its noisy average
     */
    void close(double[] into);

    /**
     * The noisy counts of a stage of ranges that ended with the last round; none of them elsewhere,
     * and empty of a subject that measures no ranges. What is measured from them is published, and
     * they are not.
     */
    default Optional<double[]> counts() {
      return Optional.empty();
    }

    /**
     * All coordinates of what the last average of a path was before its noise was added, for an
     * auditor who knows the key; empty where there are no paths.
     */
    default Optional<double[]> exact() {
      return Optional.empty();
    }

    /** Remembers this place, between two releases. */
    void mark();

    /** Goes back to the marked place, as after a transaction that was aborted. */
    void reset();
  }
}
