package dev.sotto.replay.cluster;

import java.nio.charset.StandardCharsets;
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

/** A store whose changes last only if they are committed, as those of a store with a changelog do. */
final class MemoryStore implements KeyValueStore<String, byte[]> {
  private final String name;
  private final NavigableMap<String, byte[]> committed = new TreeMap<>();
  private final Map<String, byte[]> changes = new TreeMap<>(); // null: deleted

  MemoryStore(String name) {
    this.name = name;
  }

  void commitChanges() {
    changes.forEach((key, value) -> {
      if (value == null) {
        committed.remove(key);
      } else {
        committed.put(key, value);
      }
    });
    changes.clear();
  }

  void dropChanges() {
    changes.clear();
  }

  @Override
  public byte[] get(String key) {
    return changes.containsKey(key) ? changes.get(key) : committed.get(key);
  }

  @Override
  public void put(String key, byte[] value) {
    changes.put(key, value);
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

  private NavigableMap<String, byte[]> merged() {
    NavigableMap<String, byte[]> merged = new TreeMap<>(committed);
    merged.putAll(changes);
    merged.values().removeIf(each -> each == null);
    return merged;
  }

  @Override
  public KeyValueIterator<String, byte[]> range(String from, String to) {
    return new Found(merged().subMap(from, true, to, true));
  }

  @Override
  public KeyValueIterator<String, byte[]> all() {
    return new Found(merged());
  }

  @Override
  public <PS extends Serializer<P>, P> KeyValueIterator<String, byte[]> prefixScan(
      P prefix, PS serializer) {
    String text = new String(serializer.serialize(null, prefix), StandardCharsets.UTF_8);
    NavigableMap<String, byte[]> found = merged().tailMap(text, true);
    found.keySet().removeIf(each -> !each.startsWith(text));
    return new Found(found);
  }

  @Override
  public long approximateNumEntries() {
    return merged().size();
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

  private static final class Found implements KeyValueIterator<String, byte[]> {
    private final Iterator<Map.Entry<String, byte[]>> entries;
    private Map.Entry<String, byte[]> head;

    Found(Map<String, byte[]> found) {
      this.entries = found.entrySet().iterator();
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
