package dev.sotto.replay.cluster;

import dev.sotto.topology.store.StateTable;

/** Another table under it, to be changed where a test wants to. */
class PassingTable implements StateTable {
  private final StateTable table;

  PassingTable(StateTable table) {
    this.table = table;
  }

  @Override
  public byte[] get(String key) {
    return table.get(key);
  }

  @Override
  public void put(String key, byte[] value) {
    table.put(key, value);
  }

  @Override
  public void delete(String key) {
    table.delete(key);
  }
}
