package dev.sotto.serdes.record;

import java.util.Objects;
import java.util.Optional;

/**
 * One change of an alias.
 *
 * @param number 1 for the first change of the alias, one more for each
 * @param target what the alias names since then; empty where it was deleted
 * @param restores the change whose target a rollback went back to; 0 for all other changes
 * @param by who changed it: {@link #GATE}, else what a person said, which may be nothing
 * @param note why, which may be empty
 * @param time of the record by the broker's clock, in milliseconds since 1970; -1 where unknown
 */
public record AliasChange(
    long number, Optional<AliasTarget> target, long restores, String by, String note, long time) {
  /** Who made a change that no person made. */
  public static final String GATE = "gate";

  public AliasChange {
    if (number < 1) {
      throw new IllegalArgumentException("number must be at least 1, but was " + number);
    }
    if (restores < 0 || restores >= number) {
      throw new IllegalArgumentException(
          "restores must be 0 or an earlier change than " + number + ", but was " + restores);
    }
    Objects.requireNonNull(target, "target");
    Objects.requireNonNull(by, "by");
    Objects.requireNonNull(note, "note");
  }

  /** Whether it went back to an earlier target. */
  public boolean isRollback() {
    return restores > 0;
  }

  /** The change that chose the target: itself, or the one that a rollback went back to. */
  public long origin() {
    return isRollback() ? restores : number;
  }

  /** The same change with the time of its record. */
  public AliasChange at(long recordTime) {
    return new AliasChange(number, target, restores, by, note, recordTime);
  }
}
