package dev.sotto.topology.encryption;

import dev.sotto.topology.store.StateTable;
import java.util.Map;

/** A table that tests can look into. */
record MapTable(Map<String, byte[]> map) implements StateTable {
  @Override
  public byte[] get(String key) {
    return map.get(key);
  }

  @Override
  public void put(String key, byte[] value) {
    map.put(key, value);
  }

  @Override
  public void delete(String key) {
    map.remove(key);
  }
}
