package dev.sotto.app.view;

import dev.sotto.evaluation.text.JsonRenderer;
import dev.sotto.learner.description.Section;
import dev.sotto.replay.recorder.RecordResult;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.container.Container;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Recordings for people and programs: their headers, never their records. */
public final class RecordingText {
  private RecordingText() {}

  /** The facts of a recording's header; of a text file there is no codec, encryption and size. */
  public static Map<String, Object> header(Recording recording) {
    Section header = RecordDescriptions.header(recording.header());
    if (recording instanceof Container container) {
      header
          .fact("codec", container.compression().toString())
          .fact("encrypted", container.encrypted())
          .fact("bytes", container.bytes());
    }
    return JsonRenderer.fields(header);
  }

  /** The facts of the result of recording. */
  public static Map<String, Object> recorded(Path file, RecordResult recorded) {
    return JsonRenderer.fields(Section.untitled()
        .fact("file", file.toString())
        .append(RecordDescriptions.recorded(recorded)));
  }

  /** The same in lines; what is empty is left out, so are warnings. */
  public static String text(Map<String, Object> fields) {
    StringBuilder text = new StringBuilder();
    fields.forEach((name, value) -> {
      if (name.equals("ranges")) {
        ((List<?>) value).forEach(each -> text.append(line("range", range((Map<?, ?>) each))));
      } else if (!(value instanceof List) && !value.toString().isEmpty()) {
        text.append(line(name, value));
      }
    });
    return text.toString();
  }

  private static String line(String name, Object value) {
    return String.format("%-10s %s%n", name, value);
  }

  private static String range(Map<?, ?> range) {
    Object to = range.get("to");
    Object records = range.get("records");
    return "partition " + range.get("partition") + ": from " + range.get("from")
        + (to == null ? "" : " to " + to) + (records == null ? "" : ", " + records + " records");
  }
}
