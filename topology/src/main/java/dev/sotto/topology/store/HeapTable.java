package dev.sotto.topology.store;

import java.util.HashMap;
import java.util.Map;

/**
 * A table on the heap, which nothing outlives.
 *
 * @param values its entries, by key
 */
public record HeapTable(Map<String, byte[]> values) implements StateTable {
  /** An empty one. */
  public HeapTable() {
    this(new HashMap<>());
  }

  @Override
  public byte[] get(String key) {
    return values.get(key);
  }

  @Override
  public void put(String key, byte[] value) {
    values.put(key, value);
  }

  @Override
  public void delete(String key) {
    values.remove(key);
  }
}
