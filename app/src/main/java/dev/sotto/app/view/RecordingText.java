package dev.sotto.app.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.sotto.replay.recorder.RecordResult;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingHeader;
import dev.sotto.replay.recording.container.Container;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Recordings for people and programs: their headers, never their records. */
public final class RecordingText {
  private RecordingText() {}

  /** What a recording says of itself; of a text file there is no codec, encryption and size. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  private record Shown(
      @JsonUnwrapped RecordingHeader header, String codec, Boolean encrypted, Long bytes) {}

  /** What came of recording into a file. */
  private record Recorded(String file, @JsonUnwrapped RecordResult result) {}

  /** The fields of a recording's header. */
  public static Map<String, Object> header(Recording recording) {
    return Json.fields(
        recording instanceof Container container
            ? new Shown(
                recording.header(),
                container.compression().toString(),
                container.encrypted(),
                container.bytes())
            : new Shown(recording.header(), null, null, null));
  }

  /** The fields of the result of recording. */
  public static Map<String, Object> recorded(Path file, RecordResult recorded) {
    return Json.fields(new Recorded(file.toString(), recorded));
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
