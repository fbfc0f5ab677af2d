package dev.sotto.evaluation.audit.canary;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.event.EventDecoder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Recorded events, decoded once, to fill the slots around the canaries. */
public final class BackgroundExamples {
  /** No events: null slots only. */
  public static final BackgroundExamples EMPTY = new BackgroundExamples();

  private final List<Decoded> events = new ArrayList<>();

  private record Decoded(
      RecordStatus status,
      int[] indices,
      double[] values,
      double label,
      double weight,
      byte[] unit) {} // null where there is none

  /** An event as it is recorded: either may be null. */
  public record Event(byte[] key, byte[] value) {}

  /** Decodes events until there are enough. */
  public static BackgroundExamples of(Iterable<Event> events, EventDecoder decoder, int most) {
    BackgroundExamples background = new BackgroundExamples();
    Slot slot = new Slot(decoder.dimension());
    for (Event event : events) {
      if (background.size() == most) {
        break;
      }
      slot.clear();
      RecordStatus status = decoder.decode(event.key(), event.value(), slot);
      Example example = slot.example();
      int size = status == RecordStatus.USED ? example.size() : 0;
      int[] indices = new int[size];
      double[] values = new double[size];
      for (int i = 0; i < size; i++) {
        indices[i] = example.index(i);
        values[i] = example.value(i);
      }
      background.events.add(
          new Decoded(status, indices, values, example.label(), example.weight(), unit(slot)));
    }
    return background;
  }

  private static byte[] unit(Slot slot) {
    return slot.unitLength() < 0 ? null : Arrays.copyOf(slot.unit(), slot.unitLength());
  }

  /** How many events there are. */
  public int size() {
    return events.size();
  }

  /** How many of them can be used. */
  public long usable() {
    return events.stream().filter(each -> each.status() == RecordStatus.USED).count();
  }

  /** Fills a slot with the event at a place, or makes it null beyond the last. */
  void fill(int place, Slot into) {
    into.clear();
    if (place >= events.size()) {
      return;
    }
    Decoded event = events.get(place);
    into.status(event.status());
    for (int i = 0; i < event.indices().length; i++) {
      into.example().add(event.indices()[i], event.values()[i]);
    }
    into.example().label(event.label());
    into.example().weight(event.weight());
    if (event.unit() != null) {
      into.unit(event.unit(), 0, event.unit().length);
    }
  }
}
