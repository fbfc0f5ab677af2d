package dev.sotto.topology.rocksdb;

import dev.sotto.topology.settings.Names;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.errors.TaskCorruptedException;
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
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/**
 * Streams' persistent store, whose files a crash leaves as they are. Before it is opened they are
 * discarded where they may be damaged, may hold what was never committed, or may have missed that a
 * key was deleted; histories of units never are deleted.
 */
class KeptStore implements KeyValueStore<Bytes, byte[]> {
  private final KeyValueStore<Bytes, byte[]> store;
  private StoreFiles files;
  private boolean isWritten; // since it was opened

  KeptStore(KeyValueStore<Bytes, byte[]> store) {
    this.store = store;
  }

  /** Makes the stores of a name, one for each task. */
  static KeyValueBytesStoreSupplier supplier(
      String name, UnaryOperator<KeyValueStore<Bytes, byte[]>> wrap) {
    KeyValueBytesStoreSupplier plain = Stores.persistentKeyValueStore(name);
    return new KeyValueBytesStoreSupplier() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public KeyValueStore<Bytes, byte[]> get() {
        return wrap.apply(plain.get());
      }

      @Override
      public String metricsScope() {
        return plain.metricsScope();
      }
    };
  }

  /** To be called by Streams, which has locked the task's folder. */
  @Override
  public void init(StateStoreContext context, StateStore root) {
    files = StoreFiles.in(context.stateDir().toPath(), name());
    files.current(false);
    isWritten = false;
    boolean transactional = isTransactional(context);
    boolean deletes = !name().equals(Names.UNITS);
    try {
      if (files.areSuspect()
          || transactional && !files.areCommitted()
          || deletes && files.areOutdated(Instant.now())) {
        files.discard();
      }
      files.committed(transactional);
    } catch (IOException unusable) {
      throw undeletable(unusable);
    }
    try {
      store.init(context, root);
    } catch (ProcessorStateException | TaskCorruptedException unopened) {
      if (!(unopened instanceof TaskCorruptedException) && !isDamaged(unopened)) {
        throw unopened; // another process has them, or the disk is full: they may be sound
      }
      try {
        files.discard();
        files.committed(transactional);
      } catch (IOException unusable) {
        throw undeletable(unusable);
      }
      store.init(context, root);
    }
  }

  /** Whether what is written waits beside the files until it is committed. */
  static boolean isTransactional(StateStoreContext context) {
    Object given = context.appConfigs().get(StreamsConfig.TRANSACTIONAL_STATE_STORES_CONFIG);
    return given != null && Boolean.parseBoolean(given.toString());
  }

  private ProcessorStateException undeletable(IOException why) {
    return new ProcessorStateException("files of store " + name() + " could not be renewed", why);
  }

  private static boolean isDamaged(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof RocksDBException found
          && found.getStatus() != null
          && found.getStatus().getCode() == Status.Code.Corruption) {
        return true;
      }
    }
    return false;
  }

  /** Only a task whose changelog has been read writes to its store. */
  private void written() {
    if (!isWritten) {
      isWritten = true;
      files.current(true);
    }
  }

  @Override
  public byte[] get(Bytes key) {
    return store.get(key);
  }

  @Override
  public void close() {
    store.close();
    if (files != null) {
      files.current(false);
    }
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
  public long approximateNumUncommittedBytes() {
    return store.approximateNumUncommittedBytes();
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
    written();
    store.put(key, value);
  }

  @Override
  public byte[] putIfAbsent(Bytes key, byte[] value) {
    written();
    return store.putIfAbsent(key, value);
  }

  @Override
  public void putAll(List<KeyValue<Bytes, byte[]>> entries) {
    written();
    store.putAll(entries);
  }

  @Override
  public byte[] delete(Bytes key) {
    written();
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
