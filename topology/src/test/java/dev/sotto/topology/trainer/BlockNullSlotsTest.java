package dev.sotto.topology.trainer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.serdes.record.Codecs;
import org.junit.jupiter.api.Test;

/** Slots of no model that lie between those of a block that is read again. */
class BlockNullSlotsTest {
  private static World world(long checkpoint) {
    World world = new World(
            World.settings(BlockFaultsTest.Blocks.FULL_BATCH.plan(false), checkpoint, 1))
        .fill(330, 4, 15);
    world.routing = (key, header) ->
        key[0] == 'c' ? null : new String(key, java.nio.charset.StandardCharsets.US_ASCII);
    return world;
  }

  private static long nullSlots(World world) {
    world.checkpoint();
    world.commit();
    return Codecs.PARTITION_HEAD.decode(world.heads.get("partition")).nullSlots();
  }

  @Test
  void countsEachSlotWithoutAModelOnceWhateverFails() {
    long due = nullSlots(world(1000).run());
    assertThat(due).isPositive();
    for (int seed = 0; seed < 10; seed++) {
      World broken = world(7);
      broken.settings = UnitWorlds.sliced(broken.settings, java.time.Duration.ZERO);
      broken.runWithFaults(seed, 3);
      assertThat(nullSlots(broken)).as("seed %d", seed).isEqualTo(due);
    }
  }
}
