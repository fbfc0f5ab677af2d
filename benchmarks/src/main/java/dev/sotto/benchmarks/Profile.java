package dev.sotto.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordingFile;

/**
 * Where the stream thread spends its time: Flight Recorder's samples of running Java code, a
 * hundred a second. Time in the kernel, in the garbage collector and in the compiler is not in
 * them.
 */
final class Profile {
  private static final int LONGEST = 20;

  private final Map<String, Integer> methods = new HashMap<>();
  private final Map<String, Integer> parts = new HashMap<>();
  private final Map<String, Integer> phases = new HashMap<>();

  /** Measures, and takes samples meanwhile. */
  @SuppressWarnings("try") // the watch needs no word from us
  MeasuredRun of(
      Contender contender, BenchmarkCase what, String topic, long records, BenchmarkBroker broker)
      throws Exception {
    try (var folder = new TemporaryFolder();
        var recording = new Recording();
        var watch = new ThreadPhases(phases)) {
      recording.enable("jdk.ExecutionSample").withPeriod(Duration.ofMillis(10));
      recording.start();
      MeasuredRun run = contender.read(what, topic, records, broker);
      recording.stop();
      Path file = folder.path().resolve("samples.jfr");
      recording.dump(file);
      count(file);
      return run;
    }
  }

  private void count(Path file) throws IOException {
    try (var events = new RecordingFile(file)) {
      while (events.hasMoreEvents()) {
        RecordedEvent event = events.readEvent();
        var thread = event.getThread("sampledThread");
        if (event.getStackTrace() != null
            && thread != null
            && thread.getJavaName() != null
            && thread.getJavaName().contains("StreamThread")) {
          List<RecordedFrame> frames = event.getStackTrace().getFrames();
          methods.merge(name(frames.get(0).getMethod()), 1, Integer::sum);
          parts.merge(part(frames), 1, Integer::sum);
        }
      }
    }
  }

  private static String name(RecordedMethod method) {
    return method.getType().getName().replaceAll(".*\\.", "") + "." + method.getName();
  }

  /** The nearest method of ours that is at work; otherwise Kafka's Streams or clients. */
  private static String part(List<RecordedFrame> frames) {
    for (RecordedFrame frame : frames) {
      String type = frame.getMethod().getType().getName();
      if (type.startsWith("dev.sotto.")) {
        return name(frame.getMethod());
      }
      if (type.startsWith("org.apache.kafka.clients.consumer")) {
        return "Kafka: consumer";
      }
    }
    return "Kafka: streams and the rest";
  }

  /** Tables in Markdown. */
  String text() {
    return table("phase, by the wall clock", phases)
        + table("nearest method of ours, with what it calls", parts)
        + table("method at the top of the stack", methods);
  }

  private String table(String title, Map<String, Integer> counts) {
    int samples = counts.values().stream().mapToInt(Integer::intValue).sum();
    var text =
        new StringBuilder(String.format("%n| %s | share of %d |%n|---|---|%n", title, samples));
    counts.entrySet().stream()
        .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
        .limit(LONGEST)
        .forEach(each -> text.append(String.format(
            Locale.ROOT,
            "| `%s` | %.1f %% |%n",
            each.getKey(),
            100.0 * each.getValue() / samples)));
    return text.toString();
  }
}
