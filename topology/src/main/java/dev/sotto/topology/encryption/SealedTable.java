package dev.sotto.topology.encryption;

import dev.sotto.topology.store.StateTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A table whose values are encrypted before the store, and so its changelog, sees them. Keys stay
 * in clear. A value is bound to store, task and key; an older value of the same key is not
 * distinguished from the newest.
 *
 * <p>A mark under a key of its own says in the store that it is encrypted: values alone could not,
 * since some stores hold hashes, which may look like anything.
 */
final class SealedTable implements StateTable {
  static final String MARK = "encryption";

  private final StateTable store;
  private final Keyset keyset;
  private final StoragePlace place;
  private final byte[] prefix;
  private boolean marked;

  SealedTable(StateTable store, Keyset keyset, StoragePlace place) {
    this.store = store;
    this.keyset = keyset;
    this.place = place;
    this.prefix = place.associatedData();
    byte[] mark = store.get(MARK);
    if (mark != null) {
      keyset.open(mark, place, associatedData(MARK));
      marked = true;
    }
  }

  @Override
  public byte[] get(String key) {
    byte[] value = store.get(key);
    if (value == null) {
      return null;
    }
    if (!marked) {
      throw Keyset.inClear(place);
    }
    return keyset.open(value, place, associatedData(key));
  }

  @Override
  public void put(String key, byte[] value) {
    mark();
    store.put(key, keyset.seal(value, associatedData(key)));
  }

  @Override
  public void putAll(List<Entry> entries) {
    mark();
    List<Entry> sealed = new ArrayList<>(entries.size());
    for (Entry each : entries) {
      sealed.add(new Entry(each.key(), keyset.seal(each.value(), associatedData(each.key()))));
    }
    store.putAll(sealed);
  }

  private void mark() {
    if (!marked) {
      store.put(MARK, keyset.seal(new byte[0], associatedData(MARK)));
      marked = true;
    }
  }

  @Override
  public void delete(String key) {
    store.delete(key);
  }

  @Override
  public int pageBytes() {
    return store.pageBytes();
  }

  private byte[] associatedData(String key) {
    byte[] last = StoragePlace.utf8(key);
    byte[] whole = Arrays.copyOf(prefix, prefix.length + last.length);
    System.arraycopy(last, 0, whole, prefix.length, last.length);
    return whole;
  }
}
