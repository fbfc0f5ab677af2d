package dev.sotto.topology.rocksdb;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.query.PositionBound;
import org.apache.kafka.streams.query.Query;
import org.apache.kafka.streams.query.QueryConfig;
import org.apache.kafka.streams.query.QueryResult;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
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
 * RocksDB that is not {@link BoundedRocksDbConfig}.
 */
public final class PageStore implements KeyValueStore<Bytes, byte[]> {
  /** The store that a thread opens: Streams tells a configuration only its name. */
  private static final ThreadLocal<PageStore> OPENING = new ThreadLocal<>();

  /** Blocks that were not verified do not stay in the cache, where a compaction would find them. */
  private static final class Unverified {
    static final ReadOptions READ = new ReadOptions().setVerifyChecksums(false).setFillCache(false);
  }

  private final KeyValueStore<Bytes, byte[]> store;
  private StalePages files; // of the open database; null: not configured by us

  private PageStore(KeyValueStore<Bytes, byte[]> store) {
    this.store = store;
  }

  /** Makes the stores of a name, one for each task. */
  public static KeyValueBytesStoreSupplier supplier(String name) {
    KeyValueBytesStoreSupplier plain = Stores.persistentKeyValueStore(name);
    return new KeyValueBytesStoreSupplier() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public KeyValueStore<Bytes, byte[]> get() {
        return new PageStore(plain.get());
      }

      @Override
      public String metricsScope() {
        return plain.metricsScope();
      }
    };
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
    OPENING.set(this);
    try {
      store.init(context, root);
    } finally {
      OPENING.remove();
    }
  }

  /** Not while the store is closed, which ends the database that is asked. */
  @Override
  public synchronized byte[] get(Bytes key) {
    RocksDB database = files == null ? null : files.database();
    if (database == null) {
      return store.get(key);
    }
    try {
      byte[] value = database.get(Unverified.READ, key.get());
      return value == null ? store.get(key) : value;
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
    store.close();
    files = null;
  }

  @Override
  public String name() {
    return store.name();
  }

  @Override
  public boolean persistent() {
    return store.persistent();
  }

  @Override
  public boolean isOpen() {
    return store.isOpen();
  }

  @Override
  public void commit(Map<TopicPartition, Long> changelogOffsets) {
    store.commit(changelogOffsets);
  }

  @Override
  public Long committedOffset(TopicPartition partition) {
    return store.committedOffset(partition);
  }

  @Override
  @SuppressWarnings("deprecation")
  public boolean managesOffsets() {
    return store.managesOffsets();
  }

  @Override
  public <R> QueryResult<R> query(Query<R> query, PositionBound bound, QueryConfig config) {
    return store.query(query, bound, config);
  }

  @Override
  public Position getPosition() {
    return store.getPosition();
  }

  @Override
  public void put(Bytes key, byte[] value) {
    store.put(key, value);
  }

  @Override
  public byte[] putIfAbsent(Bytes key, byte[] value) {
    return store.putIfAbsent(key, value);
  }

  @Override
  public void putAll(List<KeyValue<Bytes, byte[]>> entries) {
    store.putAll(entries);
  }

  @Override
  public byte[] delete(Bytes key) {
    return store.delete(key);
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to) {
    return store.range(from, to);
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> reverseRange(Bytes from, Bytes to) {
    return store.reverseRange(from, to);
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> all() {
    return store.all();
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> reverseAll() {
    return store.reverseAll();
  }

  @Override
  public <S extends Serializer<P>, P> KeyValueIterator<Bytes, byte[]> prefixScan(P prefix, S keys) {
    return store.prefixScan(prefix, keys);
  }

  @Override
  public long approximateNumEntries() {
    return store.approximateNumEntries();
  }
}
