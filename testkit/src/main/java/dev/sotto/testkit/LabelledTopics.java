package dev.sotto.testkit;

import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.Recording;
import java.util.Arrays;
import org.opentest4j.AssertionFailedError;

/** Compares what runs have joined. */
final class LabelledTopics {
  private LabelledTopics() {}

  /** The same records in the same order; at whatever offsets, which transactions decide. */
  static void requireSame(Recording expected, Recording found, String name) {
    for (RecordedRange range : expected.header().ranges()) {
      try (RecordCursor one = expected.open(range.partition());
          RecordCursor other = found.open(range.partition())) {
        for (int at = 0; ; at++) {
          boolean more = one.next();
          if (more != other.next()) {
            throw new AssertionFailedError(name + " joined " + (more ? "fewer" : "more")
                + " than the " + at + " events of partition " + range.partition()
                + " that an undisturbed run does");
          }
          if (!more) {
            break;
          }
          if (!Arrays.equals(one.key(), other.key())
              || !Arrays.equals(one.value(), other.value())) {
            throw new AssertionFailedError(name + " joined event " + at + " of partition "
                + range.partition() + " otherwise than an undisturbed run");
          }
        }
      }
    }
  }
}
