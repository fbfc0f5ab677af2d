package dev.sotto.topology.store;

import dev.sotto.learner.mechanism.PagedBytes;
import java.util.List;

/** A table of bytes that changes together with the outputs, or not at all. */
public interface StateTable {
  /** A key and its value. */
  record Entry(String key, byte[] value) {}

  /** The value of a key, or null. */
  byte[] get(String key);

  /** Sets the value of a key. */
  void put(String key, byte[] value);

  /**
   * Sets the values of several keys, each of them as {@link #put} does.
   *
   * @param entries of different keys; not kept
   */
  default void putAll(List<Entry> entries) {
    entries.forEach(each -> put(each.key(), each.value()));
  }

  /** Removes a key. */
  void delete(String key);

  /** About how large the pages of an array are that is kept here. */
  default int pageBytes() {
    return PagedBytes.PAGE_BYTES;
  }
}
