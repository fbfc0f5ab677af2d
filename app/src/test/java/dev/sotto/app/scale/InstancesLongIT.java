package dev.sotto.app.scale;

import dev.sotto.testbroker.BrokerCluster;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Several instances, each a process, on one broker; the long schedules are in {@link ScaleLongIT}.
 */
@Tag("long")
class InstancesLongIT {
  /** Whoever waited for a dead instance's transaction to time out would lose patience. */
  static final Map<String, String> NO_TIMEOUT = Map.of("transaction.timeout.ms", "600000");

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path folder;

  @Test
  void goesOnWhereInstancesComeAndGo() throws Exception {
    try (BrokerCluster broker = BrokerCluster.start(folder.resolve("broker"), 1, Map.of());
        ScaleRun run = new ScaleRun(
            broker.bootstrapServers(), folder, "scale", Shape.direct(), "classic", NO_TIMEOUT)) {
      run.begin(2);
      run.disturb("an instance is added", 8, () -> run.instances.add());
      run.awaitWorking(3);
      run.disturb("an instance is killed", 12, () -> run.instances.kill(run.trainerOf(0)));
      run.disturb("an instance is told to stop", 6, () -> run.instances.stop(run.trainerOf(0)));
      run.finish();
    }
  }

  /** The broker decides when an instance is missed; 45 s if it were not told otherwise. */
  @Test
  void goesOnUnderTheStreamsProtocol() throws Exception {
    try (BrokerCluster broker =
            BrokerCluster.start(folder.resolve("broker"), 1, Shape.QUICK_STREAMS_GROUPS);
        ScaleRun run = new ScaleRun(
            broker.bootstrapServers(), folder, "scale", Shape.ordered(), "streams", NO_TIMEOUT)) {
      run.begin(2);
      run.disturb("an instance is killed", 12, () -> run.instances.kill(run.trainerOf(0)));
      run.finish();
    }
  }
}
