package dev.sotto.app.audit.canary;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;

/** Recorded events in a file: one value a line, as the recorded-stream connector plays them; no keys. */
public final class Recording {
  private Recording() {}

  /**
   * The first lines of a file; one whose name ends in .gz is unzipped.
   *
   * @param most how many lines to read
   * @throws IOException if it cannot be read
   */
  public static List<Background.Event> read(Path file, int most) throws IOException {
    List<Background.Event> events = new ArrayList<>();
    try (InputStream bytes = Files.newInputStream(file);
        InputStream plain = file.toString().endsWith(".gz") ? new GZIPInputStream(bytes) : bytes;
        InputStream in = new BufferedInputStream(plain, 1 << 16)) {
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      int next;
      while ((next = in.read()) >= 0 && events.size() < most) {
        if (next == '\n') {
          events.add(new Background.Event(null, line.toByteArray()));
          line.reset();
        } else {
          line.write(next);
        }
      }
      if (line.size() > 0 && events.size() < most) {
        events.add(new Background.Event(null, line.toByteArray()));
      }
    }
    return events;
  }
}
