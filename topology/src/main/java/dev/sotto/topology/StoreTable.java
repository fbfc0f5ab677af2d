package dev.sotto.topology;

import dev.sotto.topology.core.StateTable;
import org.apache.kafka.streams.state.KeyValueStore;

/** A Streams store as the trainer's core sees it. */
record StoreTable(KeyValueStore<String, byte[]> store) implements StateTable {
  @Override
  public byte[] get(String key) {
    return store.get(key);
  }

  @Override
  public void put(String key, byte[] value) {
    store.put(key, value);
  }

  @Override
  public void delete(String key) {
    store.delete(key);
  }
}
