package dev.sotto.app.view;

import dev.sotto.replay.record.Recorded;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingHeader;
import dev.sotto.replay.recording.container.Container;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Recordings for people and programs: their headers, never their records. */
public final class RecordingViews {
  private RecordingViews() {}

  /** What a recording says of itself. */
  public static Map<String, Object> header(Recording recording) {
    Map<String, Object> view = header(recording.header());
    if (recording instanceof Container container) {
      view.put("codec", container.compression().toString());
      view.put("encrypted", container.encrypted());
      view.put("bytes", container.bytes());
    }
    return view;
  }

  /** What came of recording. */
  public static Map<String, Object> recorded(Path file, Recorded recorded) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("file", file.toString());
    view.put("records", recorded.records());
    view.put("written", recorded.written());
    view.put("resumed", recorded.resumed());
    view.put("bytes", recorded.bytes());
    view.putAll(header(recorded.header()));
    view.put("warnings", recorded.warnings());
    return view;
  }

  private static Map<String, Object> header(RecordingHeader header) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("format", header.format());
    view.put("clusterId", header.clusterId());
    view.put("topic", header.topic());
    view.put("topicId", header.topicId());
    view.put("schema", header.schema());
    view.put("digest", header.digest());
    view.put("ranges", header.ranges().stream().map(RecordingViews::range).toList());
    return view;
  }

  private static Map<String, Object> range(RecordedRange range) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("partition", range.partition());
    view.put("from", range.from());
    view.put("to", range.to() < 0 ? null : range.to());
    view.put("records", range.records() < 0 ? null : range.records());
    return view;
  }

  /** The same in lines; what is empty is left out, so are warnings. */
  public static String text(Map<String, Object> view) {
    StringBuilder text = new StringBuilder();
    view.forEach((name, value) -> {
      if (value instanceof List<?> list) {
        if (name.equals("ranges")) {
          list.forEach(each -> text.append(String.format("%-10s %s%n", "range", rangeText(each))));
        }
      } else if (!value.toString().isEmpty()) {
        text.append(String.format("%-10s %s%n", name, value));
      }
    });
    return text.toString();
  }

  private static String rangeText(Object each) {
    Map<?, ?> range = (Map<?, ?>) each;
    Object to = range.get("to");
    Object records = range.get("records");
    return "partition " + range.get("partition") + ": from " + range.get("from")
        + (to == null ? "" : " to " + to) + (records == null ? "" : ", " + records + " records");
  }
}
