package dev.sotto.topology.trainer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.serdes.avro.PackedDoubles;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelRouting;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** More models than the heap has room for. */
class ModelCacheTest {
  private static final long ROOM_FOR_TWO = 1;

  private static World world(Mechanisms mechanism, long stateEvery, long modelBytes) {
    TrainerSettings all = World.settings(mechanism, 13, 30, stateEvery);
    World world = new World(new TrainerSettings(
        all.app(),
        all.run(),
        all.source(),
        all.readTimeLimit(),
        new LearnerSettings.Cadence(30, Duration.ofSeconds(60), stateEvery, modelBytes)));
    world.routing = (key, header) -> new String(key, StandardCharsets.US_ASCII);
    return world;
  }

  /** The first three models of the log. */
  @Test
  void learnsTheModelsSeenFirstAndSetsRecordsOfFurtherOnesAside() {
    World free = limited(1000, Long.MAX_VALUE).run();
    List<String> seen = free.log.values().stream()
        .map(each -> new String(each.key(), StandardCharsets.US_ASCII))
        .distinct()
        .toList();
    World three = limited(30, 3).run();
    assertThat(three.ledger().stream().map(LedgerEntry::modelId).distinct())
        .containsExactlyInAnyOrderElementsOf(seen.subList(0, 3));
    assertThat(three.deadLetters).hasSizeGreaterThan(free.deadLetters.size() + 200);
  }

  private static World limited(long checkpointSlots, long most) {
    TrainerSettings all = World.settings(Mechanisms.BINARY_TREE, 13, checkpointSlots, 1);
    World world = new World(all).fill(700, 7, 12);
    world.routing = new ModelRouting() {
      @Override
      public String modelOf(byte[] key, byte[] modelHeader) {
        return new String(key, StandardCharsets.US_ASCII);
      }

      @Override
      public long most() {
        return most;
      }
    };
    return world;
  }

  @Test
  void oneModelGoesForOneThatComesAndItIsTheOneNotAskedForLongest() {
    World world = world(Mechanisms.BINARY_TREE, 1, ROOM_FOR_TWO);
    String order = "abaca";
    for (int i = 0; i < order.length(); i++) {
      byte[] key = {(byte) order.charAt(i)};
      world.log.put(
          (long) i, new World.Event(key, PackedDoubles.pack(new double[World.DIMENSION + 1])));
    }
    world.restart();
    for (int i = 0; i < 4; i++) {
      world.step();
    }
    assertThat(world.openSlots("a")).as("asked for before c").isEqualTo(2);
    assertThat(world.openSlots("b")).as("gone").isEqualTo(-1);
    assertThat(world.openSlots("c")).isEqualTo(1);
    world.step();
    assertThat(world.openSlots("a")).isEqualTo(3);
  }
}
