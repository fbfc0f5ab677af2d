package dev.sotto.topology.rocksdb;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * Streams' persistent store, for values that are large and that whoever reads them verifies:
 * RocksDB does not verify them as well. It would by CRC-32C, which the library that comes with
 * Kafka computes without the processor's instruction for it, and which takes four fifths of the
 * time that a page of 256 KiB takes to be read. That there is no value is verified as before.
 *
 * <p>All else is done by the store of Streams. So are reads while the database is not known: before
 * its first flush, until when all that was written lies in memory, and under a configuration of
 * RocksDB that is not {@link BoundedRocksDbConfig}. And so are reads of what is not committed yet:
 * a transactional store keeps it beside the database, which still has the value before.
 */
final class PageStore extends KeptStore {
  /** The store that a thread opens: Streams tells a configuration only its name. */
  private static final ThreadLocal<PageStore> OPENING = new ThreadLocal<>();

  /** Blocks that were not verified do not stay in the cache, where a compaction would find them. */
  private static final class Unverified {
    static final ReadOptions READ = new ReadOptions().setVerifyChecksums(false).setFillCache(false);
  }

  private final Set<Bytes> staged = new HashSet<>(); // keys written since the last commit
  private StalePages files; // of the open database; null: not configured by us
  private boolean transactional;

  PageStore(KeyValueStore<Bytes, byte[]> store) {
    super(store);
  }

  /** Called where Streams configures the database of the store that this thread opens. */
  static void opened(StalePages files) {
    PageStore opening = OPENING.get();
    if (opening != null) {
      opening.files = files;
    }
  }

  @Override
  public synchronized void init(StateStoreContext context, StateStore root) {
    transactional = isTransactional(context);
    staged.clear();
    OPENING.set(this);
    try {
      super.init(context, root);
    } finally {
      OPENING.remove();
    }
  }

  /** Not while the store is closed, which ends the database that is asked. */
  @Override
  public synchronized byte[] get(Bytes key) {
    RocksDB database = files == null ? null : files.database();
    if (database == null || staged.contains(key)) {
      return super.get(key);
    }
    try {
      byte[] value = database.get(Unverified.READ, key.get());
      return value == null ? super.get(key) : value;
    } catch (RocksDBException e) {
      throw new ProcessorStateException("a value of store " + name() + " could not be read", e);
    }
  }

  /** Whether reads are its own, for tests. */
  synchronized boolean knowsItsDatabase() {
    return files != null && files.database() != null;
  }

  @Override
  public synchronized void close() {
    super.close();
    files = null;
  }

  @Override
  public synchronized void commit(Map<TopicPartition, Long> changelogOffsets) {
    super.commit(changelogOffsets);
    staged.clear();
  }

  private void stage(Bytes key) {
    if (transactional) {
      staged.add(key);
    }
  }

  @Override
  public synchronized void put(Bytes key, byte[] value) {
    stage(key);
    super.put(key, value);
  }

  @Override
  public synchronized byte[] putIfAbsent(Bytes key, byte[] value) {
    stage(key);
    return super.putIfAbsent(key, value);
  }

  @Override
  public synchronized void putAll(List<KeyValue<Bytes, byte[]>> entries) {
    entries.forEach(each -> stage(each.key));
    super.putAll(entries);
  }

  @Override
  public synchronized byte[] delete(Bytes key) {
    stage(key);
    return super.delete(key);
  }
}
