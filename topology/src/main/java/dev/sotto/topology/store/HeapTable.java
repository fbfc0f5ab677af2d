package dev.sotto.topology.store;

import java.util.HashMap;
import java.util.Map;

/** A table on the heap, which nothing outlives. */
public final class HeapTable implements StateTable {
  private final Map<String, byte[]> values = new HashMap<>();

  /** An empty one. */
  public HeapTable() {}

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
