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
  private int[] ownerEnds = new int[4];
  private int owners;

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
    owners = 0;
  }

  /** Copies the id of the privacy unit in. */
  public void unit(byte[] bytes, int from, int length) {
    unitLength = 0;
    owners = 0;
    append(bytes, from, length);
  }

  /**
   * Copies the id of one more owner in. A record with owners is charged to each of them, whatever
   * else it holds (docs/privacy.md, "Records of several persons").
   */
  public void owner(byte[] bytes, int from, int length) {
    unitLength = Math.max(0, unitLength);
    append(bytes, from, length);
    if (owners == ownerEnds.length) {
      ownerEnds = Arrays.copyOf(ownerEnds, 2 * owners);
    }
    ownerEnds[owners++] = unitLength;
  }

  private void append(byte[] bytes, int from, int length) {
    int end = unitLength + length;
    if (unit.length < end) {
      unit = Arrays.copyOf(unit, Math.max(end, 2 * unit.length));
    }
    System.arraycopy(bytes, from, unit, unitLength, length);
    unitLength = end;
  }

  /** How many owners the record has; 0 where it has a unit, or none. */
  public int owners() {
    return owners;
  }

  /** Where the id of an owner ends, and that of the next begins, in {@link #unit()}. */
  public int ownerEnd(int owner) {
    return ownerEnds[owner];
  }

  /**
   * The buffer that holds the unit's id in its first {@link #unitLength()} bytes, or the ids of the
   * owners one after the other.
   */
  public byte[] unit() {
    return unit;
  }

  /** The length of the unit's id in bytes, or of all owners' ids; -1 where there is none. */
  public int unitLength() {
    return unitLength;
  }
}
