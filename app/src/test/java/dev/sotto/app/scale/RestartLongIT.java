package dev.sotto.app.scale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.testbroker.BrokerCluster;
import dev.sotto.topology.settings.Names;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * How long a model has no version when the only instance is killed and started again at once, on
 * its own state of 100 MB and more: histories of units. Prints the pauses, and asserts that each ends.
 * {@code sotto.restart.units} and {@code sotto.restart.kills} make it larger, {@code
 * sotto.restart.set} adds settings.
 */
@Tag("long")
@Timeout(1800)
class RestartLongIT {
  private static final int UNITS = Integer.getInteger("sotto.restart.units", 1_200_000);
  private static final int KILLS = Integer.getInteger("sotto.restart.kills", 4);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path folder;

  @Test
  void aKilledInstanceGoesOnOnItsOwnDisk() throws Exception {
    Shape shape = TakeoverLongIT.byPartition();
    try (BrokerCluster broker = BrokerCluster.start(folder.resolve("broker"), 1, Map.of());
        ScaleRun run = new ScaleRun(
            broker.bootstrapServers(), folder, "scale", shape, "classic", settings())) {
      TakeoverLongIT.writeUnits(broker.bootstrapServers(), UNITS);
      run.begin(1);
      run.awaitEntries(UNITS / Shape.BATCH - 2 * TakeoverLongIT.PARTITIONS);
      System.out.printf(
          Locale.ROOT, "state of %,d MB%n", run.bytes(Names.changelog("scale", Names.UNITS)) >> 20);
      List<Double> pauses = new ArrayList<>();
      for (int i = 0; i < KILLS; i++) {
        pauses.add(run.disturb("an instance is killed and started again", 8, () -> {
          run.instances.kill(0);
          run.instances.start(0);
        }));
        run.awaitWorking(1);
      }
      System.out.println("pauses of restarts, s: " + pauses);
      assertThat(pauses).hasSize(KILLS).allMatch(each -> each > 0);
    }
  }

  private static Map<String, String> settings() {
    Map<String, String> all = TakeoverLongIT.units();
    for (String each : System.getProperty("sotto.restart.set", "").split(",")) {
      if (!each.isBlank()) {
        String[] pair = each.split("=", 2);
        all.put(pair[0], pair[1]);
      }
    }
    return all;
  }
}
