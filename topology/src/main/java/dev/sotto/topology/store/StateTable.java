package dev.sotto.topology.store;

import dev.sotto.learner.mechanism.PagedBytes;

/** A table of bytes that changes together with the outputs, or not at all. */
public interface StateTable {
  /** The value of a key, or null. */
  byte[] get(String key);

  /** Sets the value of a key. */
  void put(String key, byte[] value);

  /** Removes a key. */
  void delete(String key);

  /** About how large the pages of an array are that is kept here. */
  default int pageBytes() {
    return PagedBytes.PAGE_BYTES;
  }
}
