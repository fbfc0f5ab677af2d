package dev.sotto.topology.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** Many histories in two stores stay within the one bound of both. */
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
    try (Options one = options(config);
        Options other = options(config);
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

  /** As Streams makes them. */
  private static Options options(BoundedRocksDbConfig config) {
    BlockBasedTableConfig table = new BlockBasedTableConfig();
    table.setFilterPolicy(new BloomFilter());
    Options options = new Options().setCreateIfMissing(true).setTableFormatConfig(table);
    config.setConfig("store", options, Map.of(BoundedRocksDbConfig.BYTES, Long.toString(BYTES)));
    return options;
  }

  private static byte[] name(int unit) {
    return ByteBuffer.allocate(16)
        .putLong(unit * 0x9E3779B97F4A7C15L)
        .putLong(unit)
        .array();
  }
}
