package dev.sotto.learner.training;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.UnitPseudonyms;
import dev.sotto.learner.participation.Admission;
import dev.sotto.learner.participation.UnitHistories;

/** Lets the records of units in as far as their histories allow, and writes these on. */
final class UnitAdmission {
  private final Admission rule;
  private final UnitPseudonyms names;
  private final UnitHistories histories;

  /**
   * Of one model.
   *
   * @param names under which the histories of units are kept
   */
  UnitAdmission(Admission rule, UnitPseudonyms names, UnitHistories histories) {
    this.rule = rule;
    this.names = names;
    this.histories = histories;
  }

  /**
   * Makes a used slot a null slot where its unit may not contribute to a round.
   *
   * @return whether it is the first with which its unit is admitted
   */
  boolean admit(Slot slot, long round) {
    if (slot.status() != RecordStatus.USED) {
      return false;
    }
    if (slot.unitLength() < 0) {
      slot.status(RecordStatus.NO_UNIT);
      return false;
    }
    byte[] name = names.of(slot.unit(), slot.unitLength());
    byte[] before = histories.get(name);
    byte[] history = rule.admit(before, round);
    if (history == null) {
      slot.status(RecordStatus.NOT_ADMITTED);
      return false;
    }
    histories.put(name, history);
    return before == null;
  }
}
