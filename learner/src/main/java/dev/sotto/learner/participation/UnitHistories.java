package dev.sotto.learner.participation;

/**
 * One model's histories of privacy units, by {@link dev.sotto.learner.key.UnitPseudonyms names}.
 * Whoever keeps them keeps them for ever, and in step with the model: what is lost would be spent
 * twice.
 */
public interface UnitHistories {
  /** The unit's history, or null before its first record. */
  byte[] get(byte[] name);

  /** Sets the unit's history. */
  void put(byte[] name, byte[] history);
}
