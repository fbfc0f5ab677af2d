package dev.sotto.topology.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.testing.Seed;
import dev.sotto.testing.Tier;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A table in plain arrays says what a map of objects says. */
class HistoryTableTest {
  private static final int LIVES = Tier.choose(3, 4);
  private static final int PUTS = Tier.choose(4_000, 20_000);
  private static final int SAVED = Tier.choose(20_000, 100_000);

  private static byte[] name(long first, long second) {
    return ByteBuffer.allocate(16).putLong(first).putLong(second).array();
  }

  private static byte[] history(Random random, int most) {
    byte[] bytes = new byte[random.nextInt(most)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static Map<ByteBuffer, byte[]> entries(HistoryTable table) {
    Map<ByteBuffer, byte[]> all = new HashMap<>();
    table.forEach((name, history) ->
        assertThat(all.put(ByteBuffer.wrap(name.clone()), history)).isNull());
    return all;
  }

  private static void requireSame(HistoryTable table, Map<ByteBuffer, byte[]> truth) {
    assertThat(table.size()).isEqualTo(truth.size());
    Map<ByteBuffer, byte[]> all = entries(table);
    assertThat(all.keySet()).isEqualTo(truth.keySet());
    truth.forEach((name, history) -> {
      if (!Arrays.equals(all.get(name), history)
          || !Arrays.equals(table.get(name.array()), history)) {
        throw new AssertionError("the history of " + Arrays.toString(name.array()));
      }
    });
  }

  private static HistoryTable table(boolean ordered) {
    return ordered ? HistoryTable.ordered() : HistoryTable.scattered();
  }

  /** Names that share their place, or their first half, and histories that grow longer. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void keepsEveryEntryThroughCollisionsGrowthAndClearing(boolean ordered) {
    Random random = Seed.random(7);
    HistoryTable table = table(ordered);
    for (int life = 0; life < LIVES; life++) {
      Map<ByteBuffer, byte[]> truth = new HashMap<>();
      int most = 1 + (life + 1) * 60;
      for (int i = 0; i < PUTS; i++) {
        long first = random.nextBoolean() ? random.nextInt(50) : random.nextLong();
        byte[] name = name(first, random.nextInt(100));
        if (!Arrays.equals(table.get(name), truth.get(ByteBuffer.wrap(name)))) {
          throw new AssertionError("entry " + i + " of life " + life + " is another one");
        }
        byte[] history = history(random, most);
        table.put(name, history);
        truth.put(ByteBuffer.wrap(name), history);
      }
      requireSame(table, truth);
      assertThat(table.get(name(-1, -1))).isNull();
      table.clear();
      requireSame(table, Map.of());
    }
  }

  /** What is saved goes into a cache in the order in which it lies. */
  @Test
  void takesWhatAnotherOneShowsWithoutLongWays() {
    Random random = Seed.random(8);
    HistoryTable fresh = HistoryTable.ordered();
    for (int i = 0; i < SAVED; i++) {
      fresh.put(name(random.nextLong(), random.nextLong()), new byte[1]);
    }
    assertThat(fresh.farthest()).isLessThan(200);
    assertThat(farthest(fresh, HistoryTable.scattered())).isLessThan(200);
    assertThat(farthest(fresh, HistoryTable.ordered())).isGreaterThan(SAVED / 10); // the other way
    int[] before = {0};
    int[] backwards = {0};
    fresh.forEach((name, history) -> {
      int bits = name[0] & 0xff;
      backwards[0] += bits < before[0] ? 1 : 0;
      before[0] = bits;
    });
    assertThat(backwards[0]).isLessThan(256); // of so many; half of them in no order
  }

  private static int farthest(HistoryTable from, HistoryTable into) {
    int[] most = {0};
    from.forEach((name, history) -> {
      into.put(name, history);
      if (into.size() % (SAVED / 20) == 0) {
        most[0] = Math.max(most[0], into.farthest());
      }
    });
    return most[0];
  }

  @Test
  void givesRoomBackAfterOneLargeSave() {
    HistoryTable table = HistoryTable.ordered();
    for (long i = 0; i < 100_000; i++) {
      table.put(name(i * 0x9E3779B97F4A7C15L, i), new byte[30]);
    }
    long large = table.bytes();
    table.clear();
    table.put(name(1, 1), new byte[30]);
    table.clear();
    assertThat(table.bytes()).isLessThan(large / 1000);
  }

  @Test
  void keepsTheEmptyHistoryAndRefusesOneThatIsTooLong() {
    HistoryTable table = HistoryTable.ordered();
    table.put(name(1, 2), new byte[0]);
    assertThat(table.get(name(1, 2))).isEmpty();
    assertThatThrownBy(() -> table.put(name(1, 2), new byte[32_767]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("32766")
        .hasMessageContaining("32767");
    assertThat(table.get(name(1, 2))).isEmpty();
  }
}
