package dev.sotto.replay.record;

import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.RecordingHeader;
import java.util.List;

/**
 * What came of recording.
 *
 * @param header of the complete file
 * @param written how many records were added this time
 * @param resumed whether there was a beginning already
 * @param bytes of the file
 * @param warnings what its reader should know, one sentence each
 */
public record Recorded(
    RecordingHeader header, long written, boolean resumed, long bytes, List<String> warnings) {
  public Recorded {
    warnings = List.copyOf(warnings);
  }

  /** How many records the file holds. */
  public long records() {
    return header.ranges().stream().mapToLong(RecordedRange::records).sum();
  }
}
