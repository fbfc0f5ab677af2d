package dev.sotto.topology.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A table in plain arrays says what a map of objects says. */
class HistoryTableTest {
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
      assertThat(all.get(name)).isEqualTo(history);
      assertThat(table.get(name.array())).isEqualTo(history);
    });
  }

  /** Names that share their place, or their first half, and histories that grow longer. */
  @Test
  void keepsEveryEntryThroughCollisionsGrowthAndClearing() {
    Random random = new Random(7);
    HistoryTable table = new HistoryTable();
    for (int life = 0; life < 4; life++) {
      Map<ByteBuffer, byte[]> truth = new HashMap<>();
      int most = 1 + (life + 1) * 60;
      for (int i = 0; i < 20_000; i++) {
        long first = random.nextBoolean() ? random.nextInt(50) : random.nextLong();
        byte[] name = name(first, random.nextInt(100));
        assertThat(table.get(name)).isEqualTo(truth.get(ByteBuffer.wrap(name)));
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

  @Test
  void givesRoomBackAfterOneLargeSave() {
    HistoryTable table = new HistoryTable();
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
    HistoryTable table = new HistoryTable();
    table.put(name(1, 2), new byte[0]);
    assertThat(table.get(name(1, 2))).isEmpty();
    assertThatThrownBy(() -> table.put(name(1, 2), new byte[32_767]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("32766")
        .hasMessageContaining("32767");
    assertThat(table.get(name(1, 2))).isEmpty();
  }
}
