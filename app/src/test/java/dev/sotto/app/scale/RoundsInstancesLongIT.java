package dev.sotto.app.scale;

import dev.sotto.testbroker.BrokerCluster;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Layout {@code rounds} over several instances, each a process; apart from {@link InstancesLongIT}, so that
 * both run at once.
 */
@Tag("long")
class RoundsInstancesLongIT {
  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path folder;

  /** The coordinator's instance each time; workers of the other partitions with it. */
  @Test
  void sumsTheSameRoundsWhoeverIsKilled() throws Exception {
    try (BrokerCluster broker = BrokerCluster.start(folder.resolve("broker"), 1, Map.of());
        ScaleRun run = new ScaleRun(
            broker.bootstrapServers(),
            folder,
            "scale",
            Shape.rounds(),
            "classic",
            InstancesLongIT.NO_TIMEOUT)) {
      run.begin(2);
      for (int i = 0; i < 3; i++) {
        run.disturb("an instance is killed", 4, () -> run.instances.kill(run.trainerOf(0)));
        run.instances.add();
        run.awaitWorking(2);
      }
      run.finish();
    }
  }
}
