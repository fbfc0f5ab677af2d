package dev.sotto.topology.runtime;

import java.util.Map;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Cache;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;

/** RocksDB for a store of a few kilobytes: Streams' defaults would give it 50 MB of cache. */
public final class SmallStoreRocksDbConfig implements RocksDBConfigSetter {
  private final Cache cache = new LRUCache(1 << 20);

  @Override
  public void setConfig(String storeName, Options options, Map<String, Object> configs) {
    if (options.tableFormatConfig() instanceof BlockBasedTableConfig table) {
      table.setBlockCache(cache);
      options.setTableFormatConfig(table);
    }
    options.setWriteBufferSize(1 << 20);
    options.setMaxWriteBufferNumber(2);
  }

  @Override
  public void close(String storeName, Options options) {
    cache.close();
  }
}
