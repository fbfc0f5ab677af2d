package dev.sotto.replay.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.testing.Seed;
import dev.sotto.topology.failure.TransientException;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.store.StateTable;
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
  List<UnitRules> rules() {
    return List.of(
        UnitRules.BY_ID,
        UnitRules.SCHEDULED,
        UnitRules.BUDGETED_BLT_APART,
        UnitRules.BUDGETED_INDEPENDENT_CONSTANT);
  }

  private static OnePartition partition(UnitRules rule) {
    return rule.partition(4, SmallLearner.settings(rule.plan(), 25, 2));
  }

  private static final Map<UnitRules, UnitRules.Outcome> UNDISTURBED =
      new EnumMap<>(UnitRules.class);

  private static UnitRules.Outcome undisturbed(UnitRules rule) {
    return UNDISTURBED.computeIfAbsent(
        rule, any -> UnitRules.Outcome.of(rule.partition(4).run()));
  }

  private static Map<String, byte[]> store(OnePartition partition, String name) {
    return switch (name) {
      case "heads" -> partition.heads;
      case "arrays" -> partition.arrays;
      default -> partition.units;
    };
  }

  private static void restore(Map<String, byte[]> store, Map<String, byte[]> old) {
    store.clear();
    store.putAll(old);
  }

  @ParameterizedTest
  @MethodSource("rules")
  void derivesTheHistoriesAgainWhereOnlyTheLedgerIsLeft(UnitRules rule) {
    OnePartition partition = partition(rule);
    partition.go(200);
    partition.loseStores();
    partition.run();
    assertThat(UnitRules.Outcome.of(partition)).isEqualTo(undisturbed(rule));
  }

  @ParameterizedTest
  @MethodSource("rules")
  void derivesTheHistoriesAgainFromAnOldBackup(UnitRules rule) {
    OnePartition partition = partition(rule);
    partition.go(90);
    Map<String, Map<String, byte[]>> backup = new HashMap<>();
    for (String name : List.of("heads", "arrays", "units")) {
      backup.put(name, new HashMap<>(store(partition, name)));
    }
    partition.go(150);
    backup.forEach((name, old) -> restore(store(partition, name), old));
    partition.run();
    assertThat(UnitRules.Outcome.of(partition)).isEqualTo(undisturbed(rule));
  }

  @ParameterizedTest
  @ValueSource(strings = {"heads", "arrays", "units"})
  void refusesOneStoreOfAnEarlierCommit(String name) {
    for (UnitRules rule : rules()) {
      OnePartition partition = partition(rule);
      partition.go(90);
      Map<String, byte[]> old = new HashMap<>(store(partition, name));
      partition.go(90);
      assertThat(store(partition, name).keySet())
          .containsAll(
              old.keySet().stream().filter(key -> !key.startsWith("open")).toList());
      restore(store(partition, name), old);
      assertThatThrownBy(partition::run)
          .as("%s", rule)
          .isInstanceOf(TransientException.class)
          .hasMessageContaining("do not agree");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"heads", "units"})
  void refusesToGoOnWithoutOneStore(String name) {
    for (UnitRules rule : rules()) {
      OnePartition partition = partition(rule);
      partition.go(180);
      store(partition, name).clear();
      assertThatThrownBy(partition::run)
          .as("%s", rule)
          .isInstanceOf(TransientException.class)
          .hasMessageContaining("do not agree on the histories of units");
    }
  }

  /** Histories that outlive the transaction they were written in. */
  @Test
  void noticesHistoriesThatAreNotPartOfTheTransaction() {
    for (UnitRules rule : rules()) {
      OnePartition partition = partition(rule);
      partition.atRest =
          (name, table) -> name.equals(Names.UNITS) ? writeThrough(partition.units, table) : table;
      assertThatThrownBy(() -> partition.runWithFaults(3, 10))
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
  void wouldAdmitOthersIfHistoriesWereLost(UnitRules rule) {
    OnePartition partition = partition(rule);
    partition.atRest = (name, table) -> name.equals(Names.UNITS) ? forgetful(table) : table;
    boolean refused = false;
    try {
      partition.runWithFaults(3, 10);
    } catch (UnsafeToContinueException others) {
      refused = others.getMessage().contains("cannot be derived again");
    }
    assertThat(refused || !partition.published().equals(undisturbed(rule).published()))
        .isTrue();
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
  void wouldAdmitOthersIfHistoriesStoodAheadOfThePosition(UnitRules rule) {
    TreeMap<Long, Map<String, byte[]>> ahead = historiesByOffset(rule);
    OnePartition right = partition(rule);
    runAhead(right, new TreeMap<>(Map.of(0L, Map.of())));
    assertThat(right.published()).isEqualTo(undisturbed(rule).published());
    OnePartition partition = partition(rule);
    boolean caught = false;
    try {
      runAhead(partition, ahead);
    } catch (UnsafeToContinueException | IllegalArgumentException noticed) {
      caught = true;
    }
    caught |= !partition.published().equals(undisturbed(rule).published());
    assertThat(caught).isTrue();
  }

  private static TreeMap<Long, Map<String, byte[]>> historiesByOffset(UnitRules rule) {
    OnePartition saving = rule.partition(4, SmallLearner.settings(rule.plan(), 1, 1));
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

  private static void runAhead(OnePartition partition, TreeMap<Long, Map<String, byte[]>> ahead) {
    Random random = Seed.random(4);
    partition.restart();
    while (partition.step()) {
      if (random.nextInt(10) == 0) {
        partition.commit();
        partition.units.putAll(ahead.floorEntry(partition.groupOffset).getValue());
      } else if (random.nextInt(10) == 0) {
        partition.restart();
      }
    }
    partition.commit();
  }
}
