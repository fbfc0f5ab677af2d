package dev.sotto.app.explain;

import dev.sotto.topology.log.Place;
import dev.sotto.topology.log.SlotReader;
import dev.sotto.topology.log.SourceRecord;
import dev.sotto.topology.settings.ModelRouting;
import java.time.Duration;

/**
 * Slots of a model that no published version covers.
 *
 * @param before how many lie before a place
 * @param all how many there are
 */
record OpenSlots(long before, long all) {
  /** Nobody waits for a commit here. */
  static final Duration UNLIMITED = Duration.ofDays(1_000);

  /** Pulls them all. */
  static OpenSlots of(
      SlotReader slots, ModelRouting routing, String model, long place, ReadProgress watch) {
    long start = slots.position();
    long before = 0;
    long all = 0;
    for (SourceRecord slot = slots.next(); slot != null; slot = slots.next()) {
      watch.at("open round", Place.behind(slot.place()) - start, slots.reach() - start);
      if (model.equals(slot.modelBy(routing))) {
        before += slot.place() < place ? 1 : 0;
        all++;
      }
    }
    return new OpenSlots(before, all);
  }
}
