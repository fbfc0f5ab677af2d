package dev.sotto.benchmarks.experiments;

import dev.sotto.topology.rocksdb.BoundedRocksDbConfig;
import dev.sotto.topology.store.StateTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompactionStyle;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** RocksDB as Streams and the product set it up, without a changelog. */
final class DiskTable implements StateTable, AutoCloseable {
  private final Options options = new Options();
  private final WriteOptions write = new WriteOptions().setDisableWAL(true);
  private final BoundedRocksDbConfig config = new BoundedRocksDbConfig();
  private final RocksDB database;

  DiskTable(Path folder) throws IOException {
    RocksDB.loadLibrary();
    options
        .setCreateIfMissing(true)
        .setCompactionStyle(CompactionStyle.UNIVERSAL)
        .setTableFormatConfig(new BlockBasedTableConfig().setFilterPolicy(new BloomFilter()));
    config.setConfig("units", options, new HashMap<>());
    try {
      database = RocksDB.open(options, folder.toString());
    } catch (RocksDBException e) {
      throw new IOException(e);
    }
  }

  private static byte[] bytes(String key) {
    return key.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public byte[] get(String key) {
    try {
      return database.get(bytes(key));
    } catch (RocksDBException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void put(String key, byte[] value) {
    putAll(List.of(new Entry(key, value)));
  }

  @Override
  public void putAll(List<Entry> entries) {
    try (WriteBatch batch = new WriteBatch()) {
      for (Entry each : entries) {
        batch.put(bytes(each.key()), each.value());
      }
      database.write(write, batch);
    } catch (RocksDBException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void delete(String key) {
    try {
      database.delete(write, bytes(key));
    } catch (RocksDBException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    database.close();
    config.close("units", options);
    options.close();
    write.close();
  }
}
