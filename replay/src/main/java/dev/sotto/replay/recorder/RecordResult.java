package dev.sotto.replay.recorder;

import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.RecordingHeader;
import java.util.List;

/**
 * The result of recording.
 *
 * @param header of the complete file
 * @param written how many records were added this time
 * @param resumed whether a file was continued
 * @param bytes of the file
 * @param warnings one sentence each
 */
public record RecordResult(
    RecordingHeader header, long written, boolean resumed, long bytes, List<String> warnings) {
  public RecordResult {
    warnings = List.copyOf(warnings);
  }

  /** How many records the file holds. */
  public long records() {
    return header.ranges().stream().mapToLong(RecordedRange::records).sum();
  }
}
