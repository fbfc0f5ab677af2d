package dev.sotto.topology.log;

import dev.sotto.learner.example.RecordStatus;
import java.util.Optional;

/**
 * Why a record is set aside.
 *
 * @param field which field is wrong, what it must be and what it is, without its value, or what a
 *     value without fields looks like; empty where neither tells. For inside the trust boundary
 */
public record RecordFault(RecordStatus status, Optional<String> field) {
  /** Of the record as a whole. */
  public RecordFault(RecordStatus status) {
    this(status, Optional.empty());
  }
}
