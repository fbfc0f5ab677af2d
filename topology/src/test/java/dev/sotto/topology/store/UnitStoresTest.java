package dev.sotto.topology.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.testing.Seed;
import dev.sotto.topology.failure.TransientException;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.trainer.UnitWorlds;
import dev.sotto.topology.trainer.UnitWorlds.Outcome;
import dev.sotto.topology.trainer.World;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Stores that lost or kept too much: histories are derived again, or learning is refused. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UnitStoresTest {
  /** One of each kind. */
  List<UnitWorlds> rules() {
    return List.of(
        UnitWorlds.BY_ID,
        UnitWorlds.SCHEDULED,
        UnitWorlds.BUDGETED_BLT_APART,
        UnitWorlds.BUDGETED_INDEPENDENT_CONSTANT);
  }

  private static World world(UnitWorlds rule) {
    return rule.world(4, World.settings(rule.plan(), 25, 2));
  }

  private static final Map<UnitWorlds, Outcome> UNDISTURBED = new EnumMap<>(UnitWorlds.class);

  private static Outcome undisturbed(UnitWorlds rule) {
    return UNDISTURBED.computeIfAbsent(rule, any -> Outcome.of(rule.world(4).run()));
  }

  private static void go(World world, int records) {
    world.restart();
    for (int i = 0; i < records && world.step(); i++) {
      continue;
    }
    world.commit();
  }

  private static void finish(World world) {
    go(world, Integer.MAX_VALUE);
  }

  private static Map<String, byte[]> store(World world, String name) {
    return switch (name) {
      case "heads" -> world.heads;
      case "arrays" -> world.arrays;
      default -> world.units;
    };
  }

  private static void restore(Map<String, byte[]> store, Map<String, byte[]> old) {
    store.clear();
    store.putAll(old);
  }

  @ParameterizedTest
  @MethodSource("rules")
  void derivesTheHistoriesAgainWhereOnlyTheLedgerIsLeft(UnitWorlds rule) {
    World world = world(rule);
    go(world, 200);
    List.of(world.heads, world.arrays, world.units).forEach(Map::clear);
    finish(world);
    assertThat(Outcome.of(world)).isEqualTo(undisturbed(rule));
  }

  @ParameterizedTest
  @MethodSource("rules")
  void derivesTheHistoriesAgainFromAnOldBackup(UnitWorlds rule) {
    World world = world(rule);
    go(world, 90);
    Map<String, Map<String, byte[]>> backup = new HashMap<>();
    for (String name : List.of("heads", "arrays", "units")) {
      backup.put(name, new HashMap<>(store(world, name)));
    }
    go(world, 150);
    backup.forEach((name, old) -> restore(store(world, name), old));
    finish(world);
    assertThat(Outcome.of(world)).isEqualTo(undisturbed(rule));
  }

  @ParameterizedTest
  @ValueSource(strings = {"heads", "arrays", "units"})
  void refusesOneStoreOfAnEarlierCommit(String name) {
    for (UnitWorlds rule : rules()) {
      World world = world(rule);
      go(world, 90);
      Map<String, byte[]> old = new HashMap<>(store(world, name));
      go(world, 90);
      assertThat(store(world, name).keySet())
          .containsAll(
              old.keySet().stream().filter(key -> !key.startsWith("open")).toList());
      restore(store(world, name), old);
      assertThatThrownBy(() -> finish(world))
          .as("%s", rule)
          .isInstanceOf(TransientException.class)
          .hasMessageContaining("do not agree");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"heads", "units"})
  void refusesToGoOnWithoutOneStore(String name) {
    for (UnitWorlds rule : rules()) {
      World world = world(rule);
      go(world, 180);
      store(world, name).clear();
      assertThatThrownBy(() -> finish(world))
          .as("%s", rule)
          .isInstanceOf(TransientException.class)
          .hasMessageContaining("do not agree on the histories of units");
    }
  }

  /** Histories that outlive the transaction they were written in. */
  @Test
  void noticesHistoriesThatAreNotPartOfTheTransaction() {
    for (UnitWorlds rule : rules()) {
      World world = world(rule);
      world.atRest =
          (name, table) -> name.equals("units") ? writeThrough(world.units, table) : table;
      assertThatThrownBy(() -> world.runWithFaults(3, 10))
          .as("%s", rule)
          .isInstanceOf(TransientException.class)
          .hasMessageContaining("do not agree on the histories of units");
    }
  }

  private static StateTable writeThrough(Map<String, byte[]> base, StateTable table) {
    return new PassingTable(table) {
      @Override
      public void put(String key, byte[] value) {
        base.put(key, value);
        super.put(key, value);
      }
    };
  }

  /**
   * The twin of the fault schedules: a table that drops what it should save gives something else.
   */
  @ParameterizedTest
  @MethodSource("rules")
  void wouldAdmitOthersIfHistoriesWereLost(UnitWorlds rule) {
    World world = world(rule);
    world.atRest = (name, table) -> name.equals("units") ? forgetful(table) : table;
    world.runWithFaults(3, 10);
    assertThat(world.published()).isNotEqualTo(undisturbed(rule).published());
  }

  private static StateTable forgetful(StateTable table) {
    return new PassingTable(table) {
      @Override
      public void put(String key, byte[] value) {
        if (key.startsWith("mark/")) {
          super.put(key, value);
        }
      }
    };
  }

  /**
   * Another twin: histories saved as soon as they are decided stand ahead of the position they
   * belong to.
   */
  @ParameterizedTest
  @MethodSource("rules")
  void wouldAdmitOthersIfHistoriesStoodAheadOfThePosition(UnitWorlds rule) {
    TreeMap<Long, Map<String, byte[]>> ahead = historiesByOffset(rule);
    World right = world(rule);
    runAhead(right, new TreeMap<>(Map.of(0L, Map.of())));
    assertThat(right.published()).isEqualTo(undisturbed(rule).published());
    World world = world(rule);
    boolean caught = false;
    try {
      runAhead(world, ahead);
    } catch (UnsafeToContinueException | IllegalArgumentException noticed) {
      caught = true;
    }
    caught |= !world.published().equals(undisturbed(rule).published());
    assertThat(caught).isTrue();
  }

  private static TreeMap<Long, Map<String, byte[]>> historiesByOffset(UnitWorlds rule) {
    World saving = rule.world(4, World.settings(rule.plan(), 1, 1));
    TreeMap<Long, Map<String, byte[]>> byOffset = new TreeMap<>();
    saving.restart();
    while (saving.step()) {
      saving.commit();
      Map<String, byte[]> histories = new HashMap<>(saving.units);
      histories.keySet().removeIf(name -> name.startsWith("mark/"));
      byOffset.put(saving.groupOffset, histories);
    }
    return byOffset;
  }

  private static void runAhead(World world, TreeMap<Long, Map<String, byte[]>> ahead) {
    Random random = Seed.random(4);
    world.restart();
    while (world.step()) {
      if (random.nextInt(10) == 0) {
        world.commit();
        world.units.putAll(ahead.floorEntry(world.groupOffset).getValue());
      } else if (random.nextInt(10) == 0) {
        world.restart();
      }
    }
    world.commit();
  }
}
