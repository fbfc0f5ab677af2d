package dev.sotto.topology.trainer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.topology.settings.ModelRouting;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Models that are learned no more: what stays of them, what goes, and that the others do not notice. */
class RetiredModelsTest {
  /** How many schedules of faults. */
  int schedules() {
    return 3;
  }

  private static final int BATCH = 7;
  private static final int RECORDS = 300;

  /** Models by key, some of which are retired. */
  private record ByKey(Set<String> retired, long most) implements ModelRouting {
    @Override
    public String modelOf(byte[] key, byte[] modelHeader) {
      return new String(key, StandardCharsets.UTF_8);
    }
  }

  private static World world(int models) {
    World world = new World(World.settings(Mechanisms.BLT, BATCH, 5, 2)).fill(RECORDS, models, 3);
    world.pageBytes = 16;
    world.routing = new ByKey(Set.of(), Long.MAX_VALUE);
    return world;
  }

  private static void go(World world, int records) {
    world.restart();
    for (int i = 0; i < records && world.step(); i++) {
      continue;
    }
    world.commit();
  }

  private static void retire(World world, String... ids) {
    world.routing = new ByKey(Set.of(ids), Long.MAX_VALUE);
  }

  /** The weights' digests of each model's versions. */
  private static Map<String, List<String>> versions(World world) {
    Map<String, List<String>> all = new TreeMap<>();
    for (LedgerEntry entry : world.ledger()) {
      all.computeIfAbsent(entry.modelId(), id -> new ArrayList<>())
          .add(entry.round() + " " + LedgerChain.hex(entry.snapshotDigest()));
    }
    return all;
  }

  private static List<String> keysOf(Map<String, byte[]> table, String modelId) {
    return table.keySet().stream()
        .filter(key -> key.endsWith("/" + modelId))
        .sorted()
        .toList();
  }

  @Test
  void leaveTheirVersionsAndTheirMarkAlone() {
    Map<String, List<String>> undisturbed = versions(world(3).run());
    World world = world(3);
    go(world, RECORDS / 2 + 3);
    List<String> before = versions(world).get("b");
    int letters = world.deadLetters.size();
    assertThat(keysOf(world.arrays, "b")).isNotEmpty();
    retire(world, "b");
    go(world, 1);
    assertThat(keysOf(world.arrays, "b")).isEmpty();
    assertThat(keysOf(world.heads, "b")).containsExactly("retired/b");
    go(world, Integer.MAX_VALUE);
    Map<String, List<String>> after = versions(world);
    assertThat(after.get("a")).isEqualTo(undisturbed.get("a"));
    assertThat(after.get("c")).isEqualTo(undisturbed.get("c"));
    assertThat(after.get("b"))
        .isEqualTo(before)
        .hasSizeLessThan(undisturbed.get("b").size());
    assertThat(world.deadLetters.size() - letters).isGreaterThan(RECORDS / 8);
  }

  /** Else its budget would begin anew, or its noise meet other sums. */
  @Test
  void stayRetiredWhereTheListForgetsThem() {
    World world = world(3);
    go(world, RECORDS / 3);
    List<String> before = versions(world).get("b");
    retire(world, "b");
    go(world, RECORDS / 3);
    retire(world);
    go(world, Integer.MAX_VALUE);
    assertThat(versions(world).get("b")).isEqualTo(before);
    assertThat(keysOf(world.heads, "b")).containsExactly("retired/b");
  }

  @Test
  void publishTheSameWhereverItIsKilled() {
    World undisturbed = world(3);
    go(undisturbed, RECORDS / 2);
    retire(undisturbed, "b", "never-seen");
    go(undisturbed, Integer.MAX_VALUE);
    for (int seed = 0; seed < schedules(); seed++) {
      World world = world(3);
      go(world, RECORDS / 2);
      retire(world, "b", "never-seen");
      world.runWithFaults(seed, 20);
      assertThat(world.published()).isEqualTo(undisturbed.published());
      assertThat(keysOf(world.arrays, "b")).isEmpty();
    }
  }

  /** What was published of them has been paid for: it is derived again, and no more than it. */
  @Test
  void areDerivedAgainUpToTheirLastVersion() {
    World world = world(3);
    go(world, RECORDS / 2);
    retire(world, "b");
    go(world, RECORDS / 4);
    List<String> last = versions(world).get("b");
    world.heads.clear();
    world.arrays.clear();
    world.units.clear();
    go(world, Integer.MAX_VALUE);
    World kept = world(3);
    go(kept, RECORDS / 2);
    retire(kept, "b");
    go(kept, Integer.MAX_VALUE);
    assertThat(versions(world)).isEqualTo(versions(kept)).containsEntry("b", last);
    assertThat(keysOf(world.arrays, "b")).isEmpty();
    assertThat(keysOf(world.heads, "b")).containsExactly("retired/b");
  }

  @Test
  void makeRoomForOthers() {
    World world = world(4);
    world.routing = new ByKey(Set.of(), 2);
    go(world, RECORDS / 2);
    Set<String> first = versions(world).keySet();
    assertThat(first).hasSize(2);
    world.routing = new ByKey(first, 2);
    go(world, Integer.MAX_VALUE);
    assertThat(versions(world).keySet()).hasSize(4);
  }
}
