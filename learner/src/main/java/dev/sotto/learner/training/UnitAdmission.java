package dev.sotto.learner.training;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.UnitPseudonyms;
import dev.sotto.learner.participation.Admission;
import dev.sotto.learner.participation.UnitHistories;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

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
   * Makes a used slot a null slot where its unit, or one of its owners, may not contribute to a
   * round. A slot with owners need not be used.
   *
   * @return whether it is the first with which its unit is admitted, or each of its owners
   */
  boolean admit(Slot slot, long round) {
    if (slot.owners() > 0) {
      return admitOwners(slot, round);
    }
    if (slot.status() != RecordStatus.USED) {
      return false;
    }
    if (slot.unitLength() < 0) {
      slot.status(RecordStatus.NO_UNIT);
      return false;
    }
    byte[] name = names.of(slot.unit(), 0, slot.unitLength());
    byte[] before = histories.get(name);
    byte[] history = rule.admit(before, round);
    if (history == null) {
      slot.status(RecordStatus.NOT_ADMITTED);
      return false;
    }
    histories.put(name, history);
    return before == null;
  }

  /**
   * Every owner must admit it, and then each is charged. Both follow from who owns which records
   * alone: what a record holds decides nobody's later slots, also where it cannot be learned from.
   */
  private boolean admitOwners(Slot slot, long round) {
    List<byte[]> owners = new ArrayList<>();
    List<byte[]> after = new ArrayList<>();
    boolean first = true;
    int from = 0;
    for (int i = 0; i < slot.owners(); i++) {
      byte[] name = names.of(slot.unit(), from, slot.ownerEnd(i) - from);
      from = slot.ownerEnd(i);
      if (owners.stream().anyMatch(each -> Arrays.equals(each, name))) {
        continue; // who writes to himself is one person
      }
      byte[] before = histories.get(name);
      byte[] history = rule.admit(before, round);
      if (history == null) {
        if (slot.status() == RecordStatus.USED) {
          slot.status(RecordStatus.NOT_ADMITTED);
        }
        return false;
      }
      first &= before == null;
      owners.add(name);
      after.add(history);
    }
    for (int i = 0; i < owners.size(); i++) {
      histories.put(owners.get(i), after.get(i));
    }
    return first && slot.status() == RecordStatus.USED;
  }
}
