package dev.sotto.replay.cluster;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/** A store whose uncommitted changes can be undone, as those of a store with a changelog. */
class InMemoryStore implements KeyValueStore<String, byte[]> {
  private final String name;
  private final NavigableMap<String, byte[]> values = new TreeMap<>();
  private final Map<String, byte[]> committed = new HashMap<>(); // of changed keys; null: absent

  InMemoryStore(String name) {
    this.name = name;
  }

  void commitChanges() {
    committed.clear();
  }

  void dropChanges() {
    committed.forEach(this::set);
    committed.clear();
  }

  private void set(String key, byte[] value) {
    if (value == null) {
      values.remove(key);
    } else {
      values.put(key, value);
    }
  }

  @Override
  public byte[] get(String key) {
    return values.get(key);
  }

  @Override
  public void put(String key, byte[] value) {
    if (!committed.containsKey(key)) {
      committed.put(key, values.get(key));
    }
    set(key, value);
  }

  @Override
  public byte[] putIfAbsent(String key, byte[] value) {
    byte[] present = get(key);
    if (present == null) {
      put(key, value);
    }
    return present;
  }

  @Override
  public void putAll(List<KeyValue<String, byte[]>> entries) {
    entries.forEach(each -> put(each.key, each.value));
  }

  @Override
  public byte[] delete(String key) {
    byte[] present = get(key);
    put(key, null);
    return present;
  }

  @Override
  public KeyValueIterator<String, byte[]> range(String from, String to) {
    return new Entries(values.subMap(from, true, to, true));
  }

  @Override
  public KeyValueIterator<String, byte[]> all() {
    return new Entries(values);
  }

  @Override
  public <PS extends Serializer<P>, P> KeyValueIterator<String, byte[]> prefixScan(
      P prefix, PS serializer) {
    String text = new String(serializer.serialize(null, prefix), StandardCharsets.UTF_8);
    NavigableMap<String, byte[]> found = new TreeMap<>(values.tailMap(text, true));
    found.keySet().removeIf(each -> !each.startsWith(text));
    return new Entries(found);
  }

  @Override
  public long approximateNumEntries() {
    return values.size();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void init(StateStoreContext context, StateStore root) {}

  @Override
  public void close() {}

  @Override
  public boolean persistent() {
    return false;
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  /** The entries at the time of the call: the store may change while they are read. */
  private static final class Entries implements KeyValueIterator<String, byte[]> {
    private final Iterator<Map.Entry<String, byte[]>> entries;
    private Map.Entry<String, byte[]> head;

    Entries(Map<String, byte[]> found) {
      this.entries = new TreeMap<>(found).entrySet().iterator();
    }

    @Override
    public boolean hasNext() {
      return head != null || entries.hasNext();
    }

    @Override
    public KeyValue<String, byte[]> next() {
      peekNextKey();
      KeyValue<String, byte[]> next = new KeyValue<>(head.getKey(), head.getValue());
      head = null;
      return next;
    }

    @Override
    public String peekNextKey() {
      if (head == null) {
        head = entries.next();
      }
      return head.getKey();
    }

    @Override
    public void close() {}
  }
}
