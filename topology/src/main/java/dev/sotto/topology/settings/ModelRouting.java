package dev.sotto.topology.settings;

import java.util.Set;

/** Which model a record belongs to: decided by its coordinates, never by its content. */
@FunctionalInterface
public interface ModelRouting {
  /** The model's id, or null where the record belongs to no model of this partition. */
  String modelOf(byte[] key, byte[] modelHeader);

  /** The most models of the partition, at least 1; those seen first are learned. */
  default long most() {
    return Long.MAX_VALUE;
  }

  /** Models that are learned no more. */
  default Set<String> retired() {
    return Set.of();
  }
}
