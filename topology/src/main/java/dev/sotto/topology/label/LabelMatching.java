package dev.sotto.topology.label;

import dev.sotto.serdes.event.LabelledEvent.Join;
import dev.sotto.topology.label.JoinState.Stamped;
import java.util.function.LongPredicate;

/**
 * Which event owns the slot of its id, and which label a slot gets, by the rules of {@link
 * LabelJoin}. It reads and writes no topic. All that it remembers is in the table, but how far the
 * events have been read.
 */
final class LabelMatching {
  private final JoinState state;
  private final JoinHead head;
  private final long wait;
  private long eventsRead; // up to which time, as somebody has looked

  /**
   * Goes on where the state says.
   *
   * @param wait in milliseconds
   */
  LabelMatching(JoinState state, long wait) {
    this.state = state;
    this.head = state.head;
    this.wait = wait;
    this.eventsRead = head.eventTime;
  }

  /** All events before a time have been handed over. */
  void eventsRead(long time) {
    eventsRead = Math.max(eventsRead, time);
  }

  /**
   * The slot of the next event.
   *
   * @return {@link Join#REPEATED} where one before it owns the slot of its id
   */
  Join claim(String id, long time) {
    long number = head.events.next;
    IdState of = state.id(id);
    IdState.Owned last = of.last();
    if (last != null && time - last.time() < 2 * wait) {
      return Join.REPEATED;
    }
    if (last != null) {
      state.addOwned(id, of, last, of.label);
    }
    of.setLast(new IdState.Owned(number, time));
    if (of.firstEarly < of.nextEarly) {
      takeEarly(id, of, time);
    }
    state.keep(of);
    state.addSlot(new Stamped(time, number, id));
    return Join.MISSING;
  }

  /** Gives a new slot the first of the labels that are in time for it. Those before it stay. */
  private void takeEarly(String id, IdState of, long time) {
    long first = firstEarly(id, of, time - wait);
    long next = firstEarly(id, of, time + wait);
    head.unmatched += first - of.firstEarly;
    of.firstEarly = next;
    if (first < next) {
      EarlyLabel label = state.label(id, first);
      state.removeLabel(id, first, label);
      of.label = label.value();
      head.inTime++;
      head.repeated += next - first - 1;
    }
  }

  /** The first label without a slot whose time is not below one; behind all where there is none. */
  private long firstEarly(String id, IdState of, long time) {
    return first(of.firstEarly, of.nextEarly, each -> state.label(id, each).time() >= time);
  }

  /** The first number for which something holds that holds for all behind it. */
  private static long first(long from, long to, LongPredicate holds) {
    long low = from;
    long high = to;
    while (low < high) {
      long middle = low + (high - low) / 2;
      if (holds.test(middle)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /** Gives a label to the slot that it is in time for, or keeps it for one to come. */
  void label(String id, long time, byte[] value) {
    IdState of = state.id(id);
    IdState.Owned last = of.last();
    if (last != null && time < last.time() + wait) {
      IdState.Owned slot = time < last.time() - wait ? older(id, of, time) : last;
      if (slot == null || time < slot.time() - wait) {
        head.unmatched++;
      } else if (slot.slot() < head.events.first) { // a clock was behind by more than the grace
        head.late++;
      } else {
        give(id, of, slot, value);
      }
    } else if (eventsRead > time + wait) { // no event to come can claim it
      count(last != null);
    } else {
      state.addLabel(id, of, new EarlyLabel(time, last != null, value));
      state.keep(of);
    }
  }

  /** The first slot before the newest that is open at a time or later, or null. */
  private IdState.Owned older(String id, IdState of, long time) {
    long number =
        first(of.firstOwned, of.nextOwned, each -> time < state.owned(id, each).time() + wait);
    return number < of.nextOwned ? state.owned(id, number) : null;
  }

  private void give(String id, IdState of, IdState.Owned slot, byte[] label) {
    boolean newest = slot.slot() == of.last().slot();
    if ((newest ? of.label : state.given(slot.slot())) != null) {
      head.repeated++;
      return;
    }
    head.inTime++;
    if (newest) {
      of.label = label;
      state.keep(of);
    } else {
      state.addGiven(slot.slot(), label);
    }
  }

  private void count(boolean late) {
    if (late) {
      head.late++;
    } else {
      head.unmatched++;
    }
  }

  /** Takes the label of a slot whose event is written. */
  byte[] close(String id, long number) {
    IdState of = state.id(id);
    IdState.Owned last = of.last();
    if (last == null || last.slot() != number) {
      return state.takeGiven(number);
    }
    byte[] label = of.label;
    if (label != null) {
      of.label = null;
      state.keep(of);
    }
    return label;
  }

  /**
   * Forgets labels and slots that no event to come can have to do with. A label that a slot has
   * passed over is due before that slot is, and goes first: its number may come again once the slot
   * is gone.
   */
  void forget(int most) {
    int left = most;
    for (Stamped label = dueLabel(); label != null && left > 0; label = dueLabel(), left--) {
      forgetLabel(label.id(), label.number());
      state.removeOldestLabel();
    }
    for (Stamped slot = dueSlot(); slot != null && left > 0; slot = dueSlot(), left--) {
      forgetSlot(slot.id(), slot.number());
      state.removeOldestSlot();
    }
  }

  /** Whether something is left to be forgotten. */
  boolean isDue() {
    return dueLabel() != null || dueSlot() != null;
  }

  private Stamped dueLabel() {
    Stamped oldest = state.oldestLabel();
    return oldest != null && oldest.time() + wait < eventsRead ? oldest : null;
  }

  private Stamped dueSlot() {
    Stamped oldest = state.oldestSlot();
    return oldest != null
            && oldest.time() + 2 * wait <= eventsRead
            && oldest.number() < head.events.first
        ? oldest
        : null;
  }

  private void forgetLabel(String id, long number) {
    EarlyLabel label = state.label(id, number);
    if (label == null) {
      return;
    }
    state.removeLabel(id, number, label);
    IdState of = state.id(id);
    if (number >= of.firstEarly) { // or a slot has passed over it
      count(label.late());
      of.firstEarly = number + 1;
      state.keep(of);
    }
  }

  private void forgetSlot(String id, long number) {
    IdState of = state.id(id);
    if (of.last() != null && of.last().slot() == number) {
      of.setLast(null);
    } else if (of.firstOwned < of.nextOwned) {
      state.removeOldestOwned(id, of);
    }
    state.keep(of);
  }
}
