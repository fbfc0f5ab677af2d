package dev.sotto.testkit;

import dev.sotto.learner.example.RecordStatus;

/**
 * An event that filled its slot with nothing.
 *
 * @param reason why
 * @param partition where it lay
 * @param offset its place there
 * @param event what it was
 */
public record DeadLetterEvent(RecordStatus reason, int partition, long offset, TestEvent event) {
  /** Where and why, but not what. */
  String place() {
    return "partition " + partition + " offset " + offset + ": " + reason;
  }
}
