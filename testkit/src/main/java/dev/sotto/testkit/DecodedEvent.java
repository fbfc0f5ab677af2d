package dev.sotto.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.event.GuardedDecoder;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a decoder makes of an event.
 *
 * @param status {@link RecordStatus#USED}, or why not
 * @param features by coordinate, those other than 0; empty where it is not used
 * @param label 0 where it is not used
 * @param weight 1 where it is not used
 * @param unit the privacy unit's id as text, if one is configured
 * @param failure what a decoder of one's own threw
 */
public record DecodedEvent(
    RecordStatus status,
    SortedMap<Integer, Double> features,
    double label,
    double weight,
    Optional<String> unit,
    Optional<Throwable> failure) {
  static DecodedEvent of(EventDecoder decoder, Slot slot, TestEvent event) {
    SortedMap<Integer, Double> features = new TreeMap<>();
    Example example = slot.example();
    boolean used = slot.status() == RecordStatus.USED;
    for (int i = 0; used && i < example.size(); i++) {
      if (example.value(i) != 0) {
        features.put(example.index(i), example.value(i));
      }
    }
    return new DecodedEvent(
        slot.status(),
        features,
        used ? example.label() : 0,
        used ? example.weight() : 1,
        used && slot.unitLength() >= 0
            ? Optional.of(new String(slot.unit(), 0, slot.unitLength(), UTF_8))
            : Optional.empty(),
        decoder instanceof GuardedDecoder own ? own.failure() : Optional.empty());
  }

  /** Fails unless the event can be learned from. */
  public DecodedEvent assertUsed() {
    return assertStatus(RecordStatus.USED);
  }

  /** Fails unless the event becomes a dead letter for this reason. */
  public DecodedEvent assertDeadLetter(RecordStatus reason) {
    return assertStatus(reason);
  }

  private DecodedEvent assertStatus(RecordStatus expected) {
    if (status != expected) {
      var failed = AssertionFailures.of(
          "the event must become " + expected + ", but became " + status + ": " + status.sentence()
              + failure.map(thrown -> " (" + thrown + ")").orElse(""),
          expected,
          status);
      failure.ifPresent(failed::addSuppressed);
      throw failed;
    }
    return this;
  }

  /** Fails unless the label is this very number. */
  public DecodedEvent assertLabel(double expected) {
    if (label != expected) {
      throw AssertionFailures.of(
          "the label must be " + expected + ", but is " + label, expected, label);
    }
    return this;
  }

  /** Fails unless a coordinate lies within a distance of a value. */
  public DecodedEvent assertFeature(int coordinate, double expected, double within) {
    double actual = features.getOrDefault(coordinate, 0.0);
    if (!(Math.abs(actual - expected) <= within)) {
      throw AssertionFailures.of(
          "feature " + coordinate + " must be " + expected + " within " + within + ", but is "
              + actual + "; all that are not 0: " + features,
          expected,
          actual);
    }
    return this;
  }

  /** Every bit that decides what is learned. */
  @Override
  public String toString() {
    return status + " features=" + features + " label=" + label + " weight=" + weight + " unit="
        + unit.orElse("none");
  }
}
