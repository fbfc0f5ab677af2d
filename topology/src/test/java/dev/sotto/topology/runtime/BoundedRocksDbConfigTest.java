package dev.sotto.topology.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.topology.settings.Names;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompactionStyle;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/** Many histories in two stores stay within the one bound of both; models in turn leave no rubbish. */
class BoundedRocksDbConfigTest {
  private static final long BYTES = 8L << 20;
  private static final int HISTORIES = 150_000;
  private static final int LENGTH = 69;

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
      Random random = new Random(1);
      byte[] history = new byte[LENGTH];
      long most = 0;
      for (int i = 0; i < HISTORIES; i++) {
        random.nextBytes(history);
        units.put(name(i), history);
        more.put(name(i), history);
        most = Math.max(most, BoundedRocksDbConfig.used(BYTES));
      }
      for (int i = 0; i < HISTORIES; i += 7) {
        assertThat(units.get(name(i))).hasSize(LENGTH);
        assertThat(more.get(name(i))).hasSize(LENGTH);
        most = Math.max(most, BoundedRocksDbConfig.used(BYTES));
      }
      // Far less than the histories take, and about the bound: a block that is read is held.
      assertThat(2L * HISTORIES * LENGTH).isGreaterThan(2 * BYTES);
      assertThat(most).isBetween(BYTES / 4, BYTES + BYTES / 4);
    }
  }

  /** Some models have a turn often, some rarely, and each page is another one at every turn. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void holdsLittleMoreOnDiskThanModelsHave(boolean inTurn) throws RocksDBException, IOException {
    int models = 200;
    Path store = folder.resolve("models");
    Random random = new Random(2);
    byte[][] newest = new byte[models][];
    long written = 0;
    long most = 0;
    try (Options options = options(new BoundedRocksDbConfig(), Names.LEARNER);
        WriteOptions unlogged = new WriteOptions().setDisableWAL(true);
        RocksDB pages = RocksDB.open(options, store.toString())) {
      for (int i = 0; i < 40 * models; i++) {
        double uniform = random.nextDouble();
        int model = inTurn ? i % models : (int) (models * Math.pow(uniform, 6));
        newest[model] = new byte[64 << 10];
        random.nextBytes(newest[model]);
        pages.put(unlogged, name(model), newest[model]);
        pages.put(unlogged, name(-1 - model), newest[model]);
        written += 2L * newest[model].length;
        if (i % 50 == 0) {
          most = Math.max(most, bytes(store));
          assertThat(BoundedRocksDbConfig.used(BYTES)).isLessThan(BYTES + BYTES / 4);
        }
      }
      for (int model = 0; model < models; model++) {
        assertThat(pages.get(name(model))).isEqualTo(newest[model]);
        assertThat(pages.get(name(-1 - model))).isEqualTo(newest[model]);
      }
    }
    long alive = 2L * models * (64 << 10);
    assertThat(written).isEqualTo(40 * alive);
    assertThat(most).isBetween(alive, 7 * alive / 2);
    try (Stream<Path> files = Files.list(store)) {
      assertThat(files.filter(each -> each.toString().endsWith(".blob"))).isNotEmpty();
    }
  }

  private static long bytes(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.mapToLong(each -> each.toFile().length()).sum(); // 0 of one that is gone
    }
  }

  /** As Streams makes them. */
  private static Options options(BoundedRocksDbConfig config, String store) {
    BlockBasedTableConfig table = new BlockBasedTableConfig();
    table.setFilterPolicy(new BloomFilter());
    Options options = new Options()
        .setCreateIfMissing(true)
        .setTableFormatConfig(table)
        .setCompactionStyle(CompactionStyle.UNIVERSAL);
    config.setConfig(store, options, Map.of(BoundedRocksDbConfig.BYTES, Long.toString(BYTES)));
    return options;
  }

  private static byte[] name(int unit) {
    return ByteBuffer.allocate(16)
        .putLong(unit * 0x9E3779B97F4A7C15L)
        .putLong(unit)
        .array();
  }
}
