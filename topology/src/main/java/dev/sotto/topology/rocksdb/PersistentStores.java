package dev.sotto.topology.rocksdb;

import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;

/** The stores of a learner that are on disk. */
public final class PersistentStores {
  private PersistentStores() {}

  /** Of values of any size. */
  public static KeyValueBytesStoreSupplier values(String name) {
    return KeptStore.supplier(name, KeptStore::new);
  }

  /** Of large values that whoever reads them verifies. */
  public static KeyValueBytesStoreSupplier pages(String name) {
    return KeptStore.supplier(name, PageStore::new);
  }
}
