package dev.sotto.topology.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.testing.Seed;
import dev.sotto.testing.Tier;
import dev.sotto.topology.settings.Names;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompactionStyle;
import org.rocksdb.IndexType;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Statistics;
import org.rocksdb.TickerType;
import org.rocksdb.WriteOptions;

/** Many histories in two stores stay within the one bound of both; models in turn leave no rubbish. */
class BoundedRocksDbConfigTest {
  private static final long BYTES = 8L << 20;
  private static final long NO_ROOM = 32L << 10;
  private static final int HISTORIES = 130_000;
  private static final int LENGTH = 69;
  private static final int KNOWN = Tier.choose(40_000, 150_000);
  private static final int NEW = Tier.choose(4_000, 20_000);
  private static final int FEW = 300;
  private static final int PAGE = 64 << 10;
  private static final int MOST_FILES = 8; // at which a writer waits for compactions

  @TempDir
  private Path folder;

  @BeforeAll
  static void load() {
    RocksDB.loadLibrary();
  }

  @Test
  void sharesOneBoundAmongAllStores() throws RocksDBException {
    BoundedRocksDbConfig config = new BoundedRocksDbConfig();
    try (Options one = options(config, "units");
        Options other = options(config, "more");
        RocksDB units = RocksDB.open(one, folder.resolve("units").toString());
        RocksDB more = RocksDB.open(other, folder.resolve("more").toString())) {
      Random random = Seed.random(1);
      byte[] history = new byte[LENGTH];
      long most = 0;
      for (int i = 0; i < HISTORIES; i++) {
        random.nextBytes(history);
        units.put(name(i), history);
        more.put(name(i), history);
        most = i % 50 == 0 ? Math.max(most, BoundedRocksDbConfig.used(BYTES)) : most;
      }
      for (int i = 0; i < HISTORIES; i += 41) {
        assertThat(units.get(name(i))).hasSize(LENGTH);
        assertThat(more.get(name(i))).hasSize(LENGTH);
        most = Math.max(most, BoundedRocksDbConfig.used(BYTES));
      }
      // Far less than the histories take, and about the bound: a block that is read is held.
      assertThat(2L * HISTORIES * LENGTH).isGreaterThan(2 * BYTES);
      assertThat(most).isBetween(BYTES / 4, BYTES + BYTES / 4);
    }
  }

  /** Also where all lies in the oldest files, for which Streams has no filters. */
  @Test
  void readsNoBlockForAUnitThatIsNew() throws RocksDBException {
    assertThat(blocksOfUnitsThatAreNew(false)).isLessThan(NEW / 20);
    assertThat(blocksOfUnitsThatAreNew(true))
        .isGreaterThanOrEqualTo(NEW); // the twin: as Streams has it
  }

  private long blocksOfUnitsThatAreNew(boolean streams) throws RocksDBException {
    BoundedRocksDbConfig config = new BoundedRocksDbConfig();
    try (Options options = options(config, "units");
        Statistics statistics = new Statistics()) {
      options.setStatistics(statistics);
      if (streams) {
        options.setOptimizeFiltersForHits(true);
      }
      try (RocksDB units =
          RocksDB.open(options, folder.resolve("units-" + streams).toString())) {
        for (int i = 0; i < KNOWN; i++) {
          units.put(name(i), new byte[LENGTH]);
        }
        units.compactRange();
        long before = blocks(statistics);
        for (int i = KNOWN; i < KNOWN + NEW; i++) {
          if (units.get(name(i)) != null) {
            throw new AssertionError("unit " + i + " was never put");
          }
        }
        return blocks(statistics) - before;
      }
    }
  }

  /** What a unit that is new reads, with more units than there is room for their filters, as 100 million are. */
  @Test
  void readsAPageOfAFilterWhereFiltersDoNotFit() throws RocksDBException {
    assertThat(filterBytes(true)).isLessThan(16 << 10);
    assertThat(filterBytes(false)).isGreaterThan(32 << 10); // the twin: all of it
  }

  private long filterBytes(boolean byPage) throws RocksDBException {
    BoundedRocksDbConfig config = new BoundedRocksDbConfig();
    try (Options options = options(config, "units", NO_ROOM);
        Statistics statistics = new Statistics()) {
      options.setStatistics(statistics);
      if (!byPage) {
        BlockBasedTableConfig table = (BlockBasedTableConfig) options.tableFormatConfig();
        options.setTableFormatConfig(
            table.setPartitionFilters(false).setIndexType(IndexType.kBinarySearch));
      }
      try (RocksDB units =
          RocksDB.open(options, folder.resolve("filters-" + byPage).toString())) {
        for (int i = 0; i < KNOWN; i++) {
          units.put(name(i), new byte[LENGTH]);
        }
        units.compactRange();
        long before = statistics.getTickerCount(TickerType.BLOCK_CACHE_BYTES_WRITE);
        for (int i = KNOWN; i < KNOWN + FEW; i++) {
          if (units.get(name(i)) != null) {
            throw new AssertionError("unit " + i + " was never put");
          }
        }
        return (statistics.getTickerCount(TickerType.BLOCK_CACHE_BYTES_WRITE) - before) / FEW;
      }
    }
  }

  private static long blocks(Statistics statistics) {
    return statistics.getTickerCount(TickerType.BLOCK_CACHE_DATA_HIT)
        + statistics.getTickerCount(TickerType.BLOCK_CACHE_DATA_MISS);
  }

  /** The order in which models have their turns, each page being another one at every turn. */
  private enum Turns {
    /** No model a second time. */
    NEW,
    /** One after the other, again and again. */
    CYCLE,
    /** Some often, some rarely. */
    SKEWED;

    int model(int turn, int models, Random random) {
      return switch (this) {
        case NEW -> turn;
        case CYCLE -> turn % models;
        case SKEWED -> (int) (models * Math.pow(random.nextDouble(), 6));
      };
    }
  }

  @Test
  void holdsLittleMoreOnDiskThanModelsHave() throws Exception {
    requireLittleMore(Turns.NEW, 200, 1);
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource
  void holdsLittleMoreOnDiskThanManyModelsHave(Turns turns) throws Exception {
    boolean once = turns == Turns.NEW;
    requireLittleMore(turns, once ? 2000 : 200, once ? 1 : 40);
  }

  private void requireLittleMore(Turns turns, int models, int times) throws Exception {
    Path store = folder.resolve("models");
    Random random = Seed.random(2);
    byte[][] newest = new byte[models][];
    long alive = 0;
    long most = 0;
    BoundedRocksDbConfig config = new BoundedRocksDbConfig();
    try (Options options = options(config, Names.LEARNER);
        Statistics statistics = new Statistics();
        WriteOptions unlogged = new WriteOptions().setDisableWAL(true);
        RocksDB pages = RocksDB.open(options.setStatistics(statistics), store.toString())) {
      for (int i = 0; i < times * models; i++) {
        int model = turns.model(i, models, random);
        alive += newest[model] == null ? 2 * PAGE : 0;
        newest[model] = new byte[PAGE];
        random.nextBytes(newest[model]);
        pages.put(unlogged, name(model), newest[model]);
        pages.put(unlogged, name(-1 - model), newest[model]);
        if (i % 50 == 0) {
          most = Math.max(most, bytes(store));
          assertThat(BoundedRocksDbConfig.used(BYTES)).isLessThan(BYTES + BYTES / 4);
        }
      }
      for (int model = 0; model < models; model++) {
        byte[] expected = newest[model];
        assertThat(pages.get(name(model))).isEqualTo(expected);
        assertThat(pages.get(name(-1 - model))).isEqualTo(expected);
      }
      // Pages are moved where nothing else would free the disk, and only there.
      long moved = statistics.getTickerCount(TickerType.BLOB_DB_GC_BYTES_RELOCATED);
      assertThat(moved > 0).isEqualTo(turns == Turns.SKEWED);
      config.close(Names.LEARNER, options);
    }
    assertThat(alive).isEqualTo(2L * models * PAGE);
    assertThat(most).isBetween(alive / 2, 7 * alive / 2);
    try (Stream<Path> files = Files.list(store)) {
      assertThat(files.filter(each -> each.toString().endsWith(".blob"))).isNotEmpty();
    }
  }

  private static long bytes(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.mapToLong(each -> each.toFile().length()).sum(); // 0 of one that is gone
    }
  }

  /**
   * As Streams makes them; however little time compactions get on a busy machine, a writer does not
   * outrun them.
   */
  private static Options options(BoundedRocksDbConfig config, String store) {
    return options(config, store, BYTES);
  }

  private static Options options(BoundedRocksDbConfig config, String store, long bytes) {
    BlockBasedTableConfig table = new BlockBasedTableConfig();
    table.setFilterPolicy(new BloomFilter());
    Options options = new Options()
        .setCreateIfMissing(true)
        .setTableFormatConfig(table)
        .setOptimizeFiltersForHits(true)
        .setLevel0StopWritesTrigger(MOST_FILES + 1)
        .setCompactionStyle(CompactionStyle.UNIVERSAL);
    config.setConfig(store, options, Map.of(BoundedRocksDbConfig.BYTES, Long.toString(bytes)));
    return options;
  }

  private static byte[] name(int unit) {
    return ByteBuffer.allocate(16)
        .putLong(unit * 0x9E3779B97F4A7C15L)
        .putLong(unit)
        .array();
  }
}
