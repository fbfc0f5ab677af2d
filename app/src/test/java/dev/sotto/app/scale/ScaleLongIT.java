package dev.sotto.app.scale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.testbroker.BrokerCluster;
import dev.sotto.testing.Seed;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Three brokers, every record on all of them, and up to three instances; brokers and instances are
 * killed.
 */
@Tag("long")
@Timeout(900)
class ScaleLongIT {
  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path folder;

  static Stream<Arguments> everyLayoutUnderEveryProtocol() {
    return Stream.of(Shape.direct(), Shape.ordered(), Shape.rounds())
        .flatMap(shape ->
            Stream.of("classic", "streams").map(protocol -> Arguments.of(shape, protocol)));
  }

  @ParameterizedTest
  @MethodSource("everyLayoutUnderEveryProtocol")
  void survivesTheLossOfABrokerAndOfInstances(Shape shape, String protocol) throws Exception {
    Map<String, String> brokers = new HashMap<>(Shape.QUICK_STREAMS_GROUPS);
    brokers.put("broker.session.timeout.ms", "3000");
    brokers.put("broker.heartbeat.interval.ms", "500");
    Random random = Seed.random(7);
    try (BrokerCluster cluster = BrokerCluster.start(folder.resolve("brokers"), 3, brokers);
        ScaleRun run =
            new ScaleRun(cluster.bootstrapServers(), folder, "scale", shape, protocol, Map.of())) {
      run.begin(1);
      run.disturb("a second instance", 8, () -> run.instances.add());
      run.disturb("a third instance", 8, () -> run.instances.add());
      for (int node = 0; node < 3; node++) {
        int lost = node;
        run.disturb("broker " + lost + " is killed", 14, () -> cluster.kill(lost));
        run.disturb("broker " + lost + " is back", 8, () -> cluster.restart(lost));
      }
      for (int i = 0;
          i < 4 || (run.repeats() == 0 && i < 16);
          i++) { // one in a transaction at least
        Thread.sleep(random.nextInt(1000));
        run.disturb("an instance is killed", 12, () -> run.instances.kill(run.trainerOf(0)));
        run.disturb("an instance is added", 8, () -> run.instances.add());
      }
      run.disturb("an instance is told to stop", 6, () -> run.instances.stop(run.trainerOf(0)));
      run.disturb("broker 1 is told to stop", 10, () -> cluster.stop(1));
      run.disturb("an instance is added, a broker missing", 10, () -> run.instances.add());
      run.disturb("the last but one broker is back", 8, () -> cluster.restart(1));
      run.finish();
      assertThat(run.repeats()).as("aborted writes, written again").isPositive();
    }
  }
}
