package dev.sotto.learner.example;

import java.util.Arrays;

/**
 * What one consumed record contributes: a status, an example where the status is {@link
 * RecordStatus#USED}, and the privacy unit's id where one is configured. A buffer, refilled per
 * record.
 */
public final class Slot {
  private final Example example;
  private RecordStatus status = RecordStatus.EMPTY;
  private byte[] unit = new byte[32];
  private int unitLength = -1;

  /** An empty slot for examples of one dimension (at least 1). */
  public Slot(int dimension) {
    example = new Example(dimension);
  }

  /** The buffer of the example; meaningful only where the status is {@link RecordStatus#USED}. */
  public Example example() {
    return example;
  }

  /** What became of the record. */
  public RecordStatus status() {
    return status;
  }

  /** Sets what became of the record, and returns it. */
  public RecordStatus status(RecordStatus newStatus) {
    status = newStatus;
    return newStatus;
  }

  /** Forgets the example, the unit and the status. */
  public void clear() {
    example.clear();
    status = RecordStatus.EMPTY;
    unitLength = -1;
  }

  /** Copies the id of the privacy unit in. */
  public void unit(byte[] bytes, int from, int length) {
    if (unit.length < length) {
      unit = Arrays.copyOf(unit, Math.max(length, 2 * unit.length));
    }
    System.arraycopy(bytes, from, unit, 0, length);
    unitLength = length;
  }

  /** The buffer that holds the unit's id in its first {@link #unitLength()} bytes. */
  public byte[] unit() {
    return unit;
  }

  /** The length of the unit's id in bytes, or -1 where there is none. */
  public int unitLength() {
    return unitLength;
  }
}
