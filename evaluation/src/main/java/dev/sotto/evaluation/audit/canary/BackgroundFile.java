package dev.sotto.evaluation.audit.canary;

import dev.sotto.replay.recorder.Recordings;
import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Recorded events, as every other command reads them. */
public final class BackgroundFile {
  private BackgroundFile() {}

  /**
   * The first events of a recording.
   *
   * @param most how many to read
   * @throws dev.sotto.replay.recording.RecordingException if it cannot be read
   */
  public static List<BackgroundExamples.Event> read(Path file, RecordingOptions options, int most) {
    List<BackgroundExamples.Event> events = new ArrayList<>();
    try (Recording recording = Recordings.open(file, options)) {
      for (RecordedRange range : recording.header().ranges()) {
        try (RecordCursor cursor = recording.open(range.partition())) {
          while (events.size() < most && cursor.next()) {
            events.add(new BackgroundExamples.Event(cursor.key(), cursor.value()));
          }
        }
      }
    }
    return events;
  }
}
