package dev.sotto.topology.rocksdb;

import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.ServiceSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Cache;
import org.rocksdb.CompactionOptionsUniversal;
import org.rocksdb.IndexType;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.WriteBufferManager;

/**
 * RocksDB within one bound for all stores of a process: blocks, their indexes and filters, and
 * memtables share one cache. Streams' defaults would give each store 50 MB of cache and 48 MB of
 * memtables, and bound indexes and filters by nothing.
 */
public final class BoundedRocksDbConfig implements RocksDBConfigSetter {
  /** The setting that says how many bytes they are. */
  public static final String BYTES = "sotto.memory.rocksdb.bytes";

  private static final long MEMTABLE = 4L << 20;
  private static final int MEMTABLES = 3;
  private static final long PAGES_MEMTABLE = 8L << 20;
  private static final long PAGE = 4096; // shorter ones stay with their keys
  private static final long FILTER_PAGE = 4096;
  private static final double OLDEST = 0.3; // of the files of pages
  private static final int STALE_PERCENT = 50;

  /**
   * Four shards, since few threads look into the cache; RocksDB's own choice are 64 of a megabyte,
   * which one file's tables of contents can fill.
   */
  private static final int SHARD_BITS = 2;

  /** The share of the cache that indexes and filters have before blocks of data. */
  private static final double HIGH_PRIORITY_SHARE = 0.5;

  /** Of one store; thousands of large models are in thousands of files. */
  private static final int OPEN_FILES = 512;

  /** What all stores share lives as long as the process; few sizes are ever asked for. */
  private static final Map<Long, Shared> SHARED = new ConcurrentHashMap<>();

  private record Shared(
      Cache cache, WriteBufferManager memtables, CompactionOptionsUniversal compaction) {
    static Shared of(long bytes) {
      Cache cache = new LRUCache(bytes, SHARD_BITS, false, HIGH_PRIORITY_SHARE);
      return new Shared(
          cache,
          new WriteBufferManager(bytes / 2, cache),
          new CompactionOptionsUniversal().setMaxSizeAmplificationPercent(STALE_PERCENT));
    }
  }

  private StalePages stalePages; // of this store; null where pages lie beside their keys

  @Override
  public void setConfig(String storeName, Options options, Map<String, Object> configs) {
    Object given = configs.get(BYTES);
    long bytes =
        given == null ? ServiceSettings.Memory.usual().rocksDb() : Long.parseLong(given.toString());
    Shared shared = SHARED.computeIfAbsent(bytes, Shared::of);
    if (options.tableFormatConfig() instanceof BlockBasedTableConfig table) {
      table.setBlockCache(shared.cache());
      table.setCacheIndexAndFilterBlocks(true);
      table.setCacheIndexAndFilterBlocksWithHighPriority(true);
      // Filters and indexes come by the page: those of 100 million units fit into no cache, and a
      // unit that is new would else be a megabyte of filter, read again.
      table.setIndexType(IndexType.kTwoLevelIndexSearch);
      table.setPartitionFilters(true);
      table.setMetadataBlockSize(FILTER_PAGE);
      table.setPinTopLevelIndexAndFilter(true);
      options.setTableFormatConfig(table);
    }
    options.setWriteBufferManager(shared.memtables());
    options.setWriteBufferSize(Math.min(MEMTABLE, Math.max(1L << 16, bytes / 16)));
    options.setMaxWriteBufferNumber(MEMTABLES);
    List<AbstractEventListener> listeners = new ArrayList<>(List.of(new FlushTimes()));
    if (storeName.equals(Names.LEARNER)) {
      separatePages(options, shared, bytes);
      listeners.add(stalePages);
    } else {
      // Streams has no filters for the oldest files, where most units would be. A unit that is new,
      // or an event without a label, would be a block read to see that nothing is there.
      options.setOptimizeFiltersForHits(false);
    }
    options.setListeners(listeners);
  }

  /**
   * Pages of models that come and go are written at every turn. In files of their own, apart from
   * their keys, they are not moved by every compaction of a large store. One that rewrites all keys
   * comes where half of the keys are stale. Where much of the files is stale too, it gives up the
   * oldest ones, and moves what is still needed of them ({@link StalePages}). So the disk holds two
   * to three times what is alive, in whatever order models come.
   */
  private void separatePages(Options options, Shared shared, long bytes) {
    options.setEnableBlobFiles(true);
    options.setMinBlobSize(PAGE);
    options.setBlobGarbageCollectionAgeCutoff(OLDEST);
    stalePages = new StalePages();
    PageStore.opened(stalePages);
    options.setCompactionOptionsUniversal(shared.compaction());
    // A file of pages is what one memtable held.
    options.setWriteBufferSize(Math.min(PAGES_MEMTABLE, Math.max(1L << 16, bytes / 8)));
    options.setMaxOpenFiles(OPEN_FILES);
  }

  /** Bytes that the shared cache holds now, memtables included. */
  static long used(long bytes) {
    Shared shared = SHARED.get(bytes);
    return shared == null ? 0 : ((LRUCache) shared.cache()).getUsage();
  }

  /** Called before its store is closed. What is shared outlives each store. */
  @Override
  public void close(String storeName, Options options) {
    if (stalePages != null) {
      stalePages.stop();
    }
  }
}
