package dev.sotto.learner.participation;

/**
 * Decides, from a unit's own history and the round alone, whether its record is admitted. Made for
 * one plan; has no state of its own, so that histories can live in a store.
 */
public interface Admission {
  /**
   * Enters a participation into a history.
   *
   * @param history what an earlier call gave for this unit and model, or null at its first record
   * @param round the round that is being filled, from 1; never falls from call to call
   * @return the new history, or null where the record is refused and the history stays as it was
   * @throws IllegalArgumentException where the bytes are no history of this rule, or of a later
   *     round
   */
  byte[] admit(byte[] history, long round);
}
