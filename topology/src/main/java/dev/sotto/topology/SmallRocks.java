package dev.sotto.topology;

import java.util.Map;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Cache;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;

/**
 * RocksDB for a store of a few kilobytes, to which Streams' defaults would give 50 MB of cache; and for the histories
 * of units, which are read at random and written all over in every round.
 */
public final class SmallRocks implements RocksDBConfigSetter {
  private static final long SMALL = 1 << 20;
  private static final long UNITS_BUFFER = 16 << 20;
  private static final long UNITS_CACHE = 32 << 20;

  private Cache cache;

  @Override
  public void setConfig(String storeName, Options options, Map<String, Object> configs) {
    boolean units = storeName.equals(Names.UNITS);
    cache = new LRUCache(units ? UNITS_CACHE : SMALL);
    if (options.tableFormatConfig() instanceof BlockBasedTableConfig table) {
      table.setBlockCache(cache);
      options.setTableFormatConfig(table);
    }
    options.setWriteBufferSize(units ? UNITS_BUFFER : SMALL);
    options.setMaxWriteBufferNumber(2);
  }

  @Override
  public void close(String storeName, Options options) {
    cache.close();
  }
}
