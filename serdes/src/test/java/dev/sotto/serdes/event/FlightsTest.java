package dev.sotto.serdes.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.feature.Events;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A year of departures, where the shared data lie beside the project. */
@Tag("long")
class FlightsTest {
  private static final String FILE = "hflights_by_tail.jsonl.gz";

  private static Path find() {
    String named = System.getenv("SOTTO_SHARED_DATA");
    if (named != null) {
      return Path.of(named, FILE);
    }
    Path folder = Path.of(System.getProperty("user.dir")).toAbsolutePath();
    for (; folder != null; folder = folder.getParent()) {
      Path file = folder.resolve("shared").resolve("data").resolve(FILE);
      if (Files.isReadable(file)) {
        return file;
      }
    }
    return Path.of(FILE);
  }

  @Test
  void usesEveryFlightOfAYear() throws IOException {
    Path file = find();
    assumeTrue(Files.isReadable(file), FILE + " is not there; SOTTO_SHARED_DATA names its folder");
    var decoder = new JsonEventDecoder(Events.flights().build());
    var slot = new Slot(decoder.dimension());
    var units = new HashSet<String>();
    int rows = 0;
    int late = 0;
    double furthest = 0;
    try (var in = new GZIPInputStream(Files.newInputStream(file), 1 << 16);
        var lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (decoder.decode(null, Events.utf8(line), slot) != RecordStatus.USED) {
          throw new AssertionError("row " + rows + " is " + slot.status());
        }
        rows++;
        late += slot.example().label() == 1 ? 1 : 0;
        furthest = Math.max(furthest, Math.abs(slot.example().norm() - 1));
        units.add(Events.unit(slot));
      }
    }
    assertThat(rows).isEqualTo(223_874);
    assertThat(late).isEqualTo(44_381); // 19.8 %, as in the data's own reference
    assertThat(units).hasSize(3310);
    assertThat(furthest).isCloseTo(0, within(1e-12));
  }
}
