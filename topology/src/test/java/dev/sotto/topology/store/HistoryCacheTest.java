package dev.sotto.topology.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.testing.Seed;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A table of histories says the same with a cache of any size, and asks the store less. */
class HistoryCacheTest {
  private static final int USERS = 40;

  /** A store that counts how often it is asked. */
  private static final class Counting implements StateTable {
    private final Map<String, byte[]> values = new HashMap<>();
    private int asked;

    @Override
    public byte[] get(String key) {
      asked++;
      return values.get(key);
    }

    @Override
    public void put(String key, byte[] value) {
      values.put(key, value);
    }

    @Override
    public void delete(String key) {
      values.remove(key);
    }
  }

  private static byte[] name(int user) {
    return ByteBuffer.allocate(16).putInt(user).array();
  }

  /** How often the store is asked in a run that compares every answer with a plain map. */
  private static int asked(int most) {
    Counting units = new Counting();
    HistoryCache cache = new HistoryCache(most);
    UnitTable table = new UnitTable(units, new Counting(), "model", cache);
    Map<Integer, byte[]> truth = new HashMap<>();
    Random random = Seed.random(1);
    for (int i = 0; i < 20_000; i++) {
      int user = random.nextInt(USERS);
      assertThat(table.get(name(user))).isEqualTo(truth.get(user));
      if (random.nextBoolean()) {
        byte[] history = {(byte) i, (byte) (i >> 8)};
        table.put(name(user), history);
        truth.put(user, history);
      }
      if (random.nextInt(50) == 0) {
        table.save(i);
      }
      if (random.nextInt(1000) == 0) { // the model comes back from the store
        table.save(i);
        table = new UnitTable(units, new Counting(), "model", cache);
      }
      assertThat(cache.size()).isLessThanOrEqualTo(most);
    }
    return units.asked;
  }

  @Test
  void changesNoAnswerAndSavesQuestions() {
    int whole = asked(2 * USERS); // all of them in one half
    int tenth = asked(USERS / 10);
    int none = asked(0);
    assertThat(whole).isLessThan(1000);
    assertThat(tenth).isBetween(whole + 1, none - 1);
  }
}
