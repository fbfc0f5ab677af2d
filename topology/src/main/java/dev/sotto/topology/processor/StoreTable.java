package dev.sotto.topology.processor;

import dev.sotto.topology.encryption.StoragePlace;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.store.StateTable;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * A Streams store as processors see it; the only way to one, so that no value gets past the
 * encryption.
 */
final class StoreTable implements StateTable {
  private final KeyValueStore<String, byte[]> store;

  private StoreTable(KeyValueStore<String, byte[]> store) {
    this.store = store;
  }

  /**
   * The store of a task by its name.
   *
   * @throws dev.sotto.topology.failure.UnsafeToContinueException where it was written with
   *     encryption and there is none, or the other way round
   */
  static StateTable of(ProcessorContext<?, ?> context, String name, LearnerSettings settings) {
    KeyValueStore<String, byte[]> store = context.getStateStore(name);
    int partition = context.taskId().partition();
    return settings
        .encryption()
        .table(new StoreTable(store), StoragePlace.store(settings.app(), name, partition));
  }

  /** Keys of a task's store that begin with a prefix, in order and in clear, at most a number. */
  static List<String> keys(ProcessorContext<?, ?> context, String name, String prefix, int most) {
    KeyValueStore<String, byte[]> store = context.getStateStore(name);
    List<String> keys = new ArrayList<>();
    try (var found = store.prefixScan(prefix, Serdes.String().serializer())) {
      while (found.hasNext() && keys.size() < most) {
        keys.add(found.next().key);
      }
    }
    return keys;
  }

  @Override
  public byte[] get(String key) {
    return store.get(key);
  }

  @Override
  public void put(String key, byte[] value) {
    store.put(key, value);
  }

  /** One write of the database for all. */
  @Override
  public void putAll(List<Entry> entries) {
    List<KeyValue<String, byte[]>> all = new ArrayList<>(entries.size());
    for (Entry each : entries) {
      all.add(KeyValue.pair(each.key(), each.value()));
    }
    store.putAll(all);
  }

  /** Without reading what is removed, as the store's own method would. */
  @Override
  public void delete(String key) {
    store.put(key, null);
  }
}
