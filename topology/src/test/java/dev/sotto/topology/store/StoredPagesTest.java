package dev.sotto.topology.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.PagedBytes;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.participation.Participation;
import dev.sotto.serdes.avro.Sha256;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.StateIndex;
import dev.sotto.serdes.record.StoredArray;
import dev.sotto.topology.failure.TransientException;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.store.StoredPages.Mark;
import dev.sotto.topology.trainer.TrainerSettings;
import dev.sotto.topology.trainer.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Arrays in pages: which are written, and what is noticed of wrong ones. */
class StoredPagesTest {
  /** How many schedules of faults. */
  int schedules() {
    return 6;
  }

  private static final int BATCH = 13;

  private final CountingTable table = new CountingTable(new HashMap<>());
  private final StoredPages pages = new StoredPages(table);

  private static PagedBytes array(double... values) {
    return new PagedDoubles(values, 2, false);
  }

  private StoredArray write(PagedBytes array, StoredArray stored) {
    return pages.write("m", "a", array, stored, Mark.CHECKSUM);
  }

  private PagedBytes read(StoredArray stored) {
    return pages.read("m", stored, Mark.CHECKSUM);
  }

  @Test
  void writeOnlyWhatChanged() {
    StoredArray first = write(array(1, 2, 3, 4, 5), null);
    assertThat(table.puts).containsExactly("a/0/m", "a/1/m", "a/2/m");
    assertThat(first.pages()).isEqualTo(3);
    assertThat(first.length()).isEqualTo(40);
    table.puts.clear();
    StoredArray second = write(array(1, 2, 3, -4, 5), first);
    assertThat(table.puts).containsExactly("a/1/m");
    assertThat(PagedDoubles.read(read(second), false)).containsExactly(1, 2, 3, -4, 5);
    table.puts.clear();
    StoredArray third = write(array(1, 2, 3), second);
    assertThat(table.puts).containsExactly("a/1/m");
    assertThat(table.deletes).containsExactly("a/2/m");
    assertThat(PagedDoubles.read(read(third), false)).containsExactly(1, 2, 3);
    write(array(), third);
    assertThat(table.values).isEmpty();
  }

  @Test
  void takeFewBytesForMultiplesOfOnePower() {
    double[] means = new double[10_000];
    for (int i = 0; i < means.length; i++) {
      means[i] = (i * 7919L % 200_000 - 100_000) / 4096.0;
    }
    PagedDoubles compact = PagedDoubles.of(means, 16_384);
    StoredArray stored = write(compact, null);
    assertThat(stored.pages()).isEqualTo(5);
    assertThat(stored.length()).isEqualTo(compact.length()).isLessThan(3 * means.length + 100);
    assertThat(PagedDoubles.read(read(stored), true)).containsExactly(means);
    assertThat(PagedDoubles.of(new double[0], 16).compact()).isFalse();
    assertThat(PagedDoubles.read(read(write(array(), stored)), false)).isEmpty();
  }

  /** Iterates took 8 bytes each once, in every state, and pages were hashed. */
  @Test
  void goOnFromAStateOfAnEarlierVersion() {
    List<String> expected = generations(5).run().published();
    World world = generations(5);
    for (int i = 0; i < 4; i++) {
      go(world, 6 * BATCH + 5);
      writeAsOnce(world);
    }
    go(world, Integer.MAX_VALUE);
    assertThat(world.published()).isEqualTo(expected);
  }

  private static World generations(long checkpointSlots) {
    World world = new World(World.settings(
            World.plan(
                Mechanisms.BLT.make(),
                BATCH,
                1e6,
                new Participation.Once(),
                new GenerationSchedule(GenerationSchedule.Kind.CONSTANT, 5),
                null),
            checkpointSlots,
            1))
        .fill(400, 1, 11);
    world.pageBytes = 16;
    return world;
  }

  private static void writeAsOnce(World world) {
    StateIndex index = Codecs.STATE_INDEX.decode(world.heads.get("state/model"));
    assertThat(index.compact()).isTrue();
    assertThat(index.checksums()).isTrue();
    StoredPages pages = new StoredPages(new CountingTable(world.arrays));
    List<StoredArray> arrays = new ArrayList<>();
    for (StoredArray each : index.arrays()) {
      if (List.of("noise", "redrawn", "refused").contains(each.name())) {
        arrays.add(each);
        continue;
      }
      PagedBytes now = pages.read("model", each, Mark.CHECKSUM);
      if (!each.name().equals("iterates")) {
        arrays.add(pages.write("model", each.name(), now, each, Mark.SHA_256));
        continue;
      }
      double[] values = PagedDoubles.read(now, true);
      assertThat(values).hasSizeGreaterThan(2);
      PagedBytes spread = new PagedDoubles(values, 2, false);
      arrays.add(pages.write("model", "iterates", spread, each, Mark.SHA_256));
    }
    StateIndex before = new StateIndex(
        index.position(),
        index.ledgerSequence(),
        index.round(),
        index.before(),
        index.generation(),
        index.digest(),
        index.version(),
        index.versionOffset(),
        false,
        false,
        arrays);
    world.heads.put("state/model", Codecs.STATE_INDEX.encode(before));
  }

  @Test
  void noticePagesThatAreNotThoseOfTheIndex() {
    StoredArray first = write(array(1, 2, 3, 4, 5), null);
    Map<String, byte[]> old = new HashMap<>(table.values);
    StoredArray second = write(array(1, 2, 3, -4, 5), first);
    requireNoticed(first, 1);
    read(first).page(0);
    byte[] right = table.values.put("a/1/m", old.get("a/1/m"));
    requireNoticed(second, 1);
    table.values.put("a/1/m", table.values.get("a/0/m"));
    requireNoticed(second, 1);
    table.values.remove("a/1/m");
    requireNoticed(second, 1);
    table.values.put("a/1/m", right);
    assertThat(read(second).page(1)).isEqualTo(right);
  }

  private void requireNoticed(StoredArray stored, int page) {
    assertThatThrownBy(() -> read(stored).page(page))
        .isInstanceOf(TransientException.class)
        .hasMessageContaining("do not agree on page a/" + page + "/m");
  }

  /** Page borders in the middle of everything. */
  @ParameterizedTest
  @EnumSource
  void publishTheSameBitsAtAnySizeUnderEveryScheduleOfFaults(Mechanisms mechanism) {
    List<String> expected = new World(World.settings(mechanism, BATCH, 1000, 1))
        .fill(250, 1, 11)
        .run()
        .published();
    int[] sizes = {1, 8, 16, 24, 40, 64};
    for (int seed = 0; seed < schedules(); seed++) {
      World broken =
          new World(World.settings(mechanism, BATCH, 4 + seed % 20, 1 + seed % 3)).fill(250, 1, 11);
      broken.pageBytes = sizes[seed % sizes.length];
      assertThat(broken.runWithFaults(seed, 2 + seed % 30).published())
          .as("seed %d", seed)
          .isEqualTo(expected);
    }
  }

  @Test
  void publishTheSameBitsWherePagesChangeTheirSize() {
    List<String> expected = world(1000, 1).run().published();
    World world = world(5, 2);
    for (int size : new int[] {16, 8, 24, 1, 1 << 18, 16}) {
      world.pageBytes = size;
      go(world, 70);
    }
    go(world, Integer.MAX_VALUE);
    assertThat(world.published()).isEqualTo(expected);
  }

  private static World world(long checkpointSlots, long stateEvery) {
    World world = new World(World.settings(Mechanisms.BLT, BATCH, checkpointSlots, stateEvery))
        .fill(400, 1, 11);
    world.pageBytes = 16;
    return world;
  }

  private static void go(World world, int records) {
    world.restart();
    for (int i = 0; i < records && world.step(); i++) {
      continue;
    }
    world.commit();
  }

  /** Every stored page, one at a time: lost, an older one, or another's. */
  @Test
  void noticeEveryPageThatIsNotOfTheCommit() {
    World world = world(5, 1);
    go(world, 6 * BATCH + 5);
    Map<String, byte[]> old = new TreeMap<>(world.arrays);
    go(world, 5 * BATCH + 4);
    Map<String, byte[]> now = new TreeMap<>(world.arrays);
    List<String> open =
        now.keySet().stream().filter(key -> key.startsWith("open/")).toList();
    assertThat(open).hasSize(2);
    assertThat(now.keySet())
        .contains("prefix/0/model", "noise/5/model", "redrawn/0/model", "open-mark/model");
    for (String key : now.keySet()) {
      requireNoticed(world, now, key, null);
      requireNoticed(world, now, key, old.get(key));
      byte[] longer = Arrays.copyOf(now.get(key), now.get(key).length + 1);
      requireNoticed(world, now, key, longer);
    }
    requireNoticed(world, now, open.get(0), now.get(open.get(1)));
    world.arrays.putAll(now);
    go(world, Integer.MAX_VALUE);
    assertThat(world.published()).isEqualTo(world(1000, 1).run().published());
  }

  /** As a damaged file leaves them: RocksDB does not look. */
  @Test
  void noticeEveryPageThatIsDamaged() {
    World world = world(5, 1);
    go(world, 11 * BATCH + 9);
    Map<String, byte[]> now = new TreeMap<>(world.arrays);
    for (String key : now.keySet()) {
      int length = now.get(key).length;
      for (int at : new int[] {0, 9, 20, length / 2, length - 33, length - 1}) {
        byte[] damaged = now.get(key).clone();
        int place = Math.min(length - 1, Math.max(0, at));
        damaged[place] ^= 1;
        world.arrays.clear();
        world.arrays.putAll(now);
        world.arrays.put(key, damaged);
        if (key.startsWith("noise/") && place < 8) {
          continue; // the name of the key that opens it, which is tried all the same
        }
        assertThatThrownBy(() -> go(world, 1))
            .as(key + " at " + place)
            .isInstanceOf(TransientException.class)
            .hasMessageFindingMatch("do not agree|is damaged");
      }
    }
    String first = "noise/0/model";
    byte[] named = now.get(first).clone();
    named[0] ^= 1;
    world.arrays.clear();
    world.arrays.putAll(now);
    world.arrays.put(first, named);
    go(world, Integer.MAX_VALUE);
    assertThat(world.published()).isEqualTo(world(1000, 1).run().published());
  }

  private static void requireNoticed(
      World world, Map<String, byte[]> now, String key, byte[] value) {
    world.arrays.clear();
    world.arrays.putAll(now);
    if (value == null) {
      world.arrays.remove(key);
    } else {
      world.arrays.put(key, value);
    }
    assertThatThrownBy(() -> go(world, 1))
        .as(key)
        .isInstanceOf(TransientException.class)
        .hasMessageContaining("do not agree");
  }

  @Test
  void leaveNothingOfAnOpenRoundThatHasClosed() {
    World world = world(5, 1);
    go(world, 6);
    assertThat(world.arrays.keySet()).anyMatch(key -> key.startsWith("open"));
    go(world, BATCH - 6);
    assertThat(world.heads).containsKey("state/model").doesNotContainKey("open/model");
    assertThat(world.arrays.keySet()).noneMatch(key -> key.startsWith("open"));
  }

  /** The weights at which a generation begins stay what they are until the next. */
  @Test
  void writeTheIteratesOnceAGeneration() {
    World world = generations(1000);
    CountingTable[] counted = new CountingTable[1];
    world.atRest = (name, under) -> {
      if (!name.equals("arrays")) {
        return under;
      }
      counted[0] = new CountingTable(under);
      return counted[0];
    };
    world.run();
    int rounds = world.ledger().size();
    assertThat(rounds).isEqualTo(400 / BATCH);
    assertThat(counted[0].puts.stream().filter("iterates/0/model"::equals)).hasSize(rounds / 5);
    assertThat(counted[0].puts.stream().filter("prefix/0/model"::equals)).hasSize(rounds);
  }

  /**
   * Each slice is a transaction of its own; a large state in each would take longer than the slice.
   */
  @Test
  void areNotWrittenAtEverySliceOfAGap() {
    World world = world(1000, 100);
    TrainerSettings old = world.settings;
    world.settings =
        new TrainerSettings(old.app(), old.run(), old.source(), Duration.ZERO, old.cadence());
    go(world, 5 * BATCH + 3);
    CountingTable[] counted = new CountingTable[1];
    world.atRest = (name, under) -> {
      if (!name.equals("arrays")) {
        return under;
      }
      counted[0] = new CountingTable(under);
      return counted[0];
    };
    go(world, Integer.MAX_VALUE);
    assertThat(world.slices).isGreaterThan(5 * BATCH);
    assertThat(counted[0].puts).isEmpty();
    assertThat(world.published()).isEqualTo(world(1000, 1).run().published());
  }

  @ParameterizedTest
  @ValueSource(strings = {"partition", "model/model", "state/model", "open/model"})
  void refuseAStateOfALaterVersion(String record) {
    World world = world(5, 1);
    go(world, 2 * BATCH + 6);
    world.heads.get(record)[5]++; // of the schema's fingerprint
    if (record.startsWith("open")) {
      world.arrays.put("open-mark/model", Sha256.sha256(world.heads.get(record)));
    }
    assertThatThrownBy(() -> go(world, 1))
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageContaining("a schema this version does not know")
        .hasMessageContaining("./sotto reset");
  }

  @Test
  void refuseAStateThatWasStoredWhole() {
    World world = world(5, 1);
    go(world, 2 * BATCH);
    world.heads.put("hash/state/model", new byte[32]);
    assertThatThrownBy(() -> go(world, 1))
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageContaining("was stored whole, by an earlier version");
  }

  /** A table that remembers what was written to it. */
  private static final class CountingTable implements StateTable {
    final List<String> puts = new ArrayList<>();
    final List<String> deletes = new ArrayList<>();
    final Map<String, byte[]> values;
    private final StateTable under;

    CountingTable(Map<String, byte[]> values) {
      this.values = values;
      this.under = null;
    }

    CountingTable(StateTable under) {
      this.values = Map.of();
      this.under = under;
    }

    @Override
    public int pageBytes() {
      return under == null ? PagedBytes.PAGE_BYTES : under.pageBytes();
    }

    @Override
    public byte[] get(String key) {
      return under == null ? values.get(key) : under.get(key);
    }

    @Override
    public void put(String key, byte[] value) {
      puts.add(key);
      if (under == null) {
        values.put(key, value);
      } else {
        under.put(key, value);
      }
    }

    @Override
    public void delete(String key) {
      deletes.add(key);
      if (under == null) {
        values.remove(key);
      } else {
        under.delete(key);
      }
    }
  }
}
