package dev.sotto.evaluation.audit.canary;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;

/** Recorded events in a file, without keys: one value a line, as for the connector. */
public final class BackgroundFile {
  private BackgroundFile() {}

  /**
   * The first lines of a file; one whose name ends in .gz is unzipped.
   *
   * @param most how many lines to read
   * @throws IOException if it cannot be read
   */
  public static List<BackgroundExamples.Event> read(Path file, int most) throws IOException {
    List<BackgroundExamples.Event> events = new ArrayList<>();
    try (InputStream bytes = Files.newInputStream(file);
        InputStream plain = file.toString().endsWith(".gz") ? new GZIPInputStream(bytes) : bytes;
        InputStream in = new BufferedInputStream(plain, 1 << 16)) {
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      int next;
      while ((next = in.read()) >= 0 && events.size() < most) {
        if (next == '\n') {
          events.add(new BackgroundExamples.Event(null, line.toByteArray()));
          line.reset();
        } else {
          line.write(next);
        }
      }
      if (line.size() > 0 && events.size() < most) {
        events.add(new BackgroundExamples.Event(null, line.toByteArray()));
      }
    }
    return events;
  }
}
