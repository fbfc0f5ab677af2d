package dev.sotto.testkit;

import dev.sotto.learner.example.Verdict;

/**
 * An event that filled its slot with nothing.
 *
 * @param reason why
 * @param partition where it lay
 * @param offset its place there
 * @param event what it was
 */
public record DeadLetter(Verdict reason, int partition, long offset, Event event) {
  /** Where and why, but not what. */
  String place() {
    return "partition " + partition + " offset " + offset + ": " + reason;
  }
}
