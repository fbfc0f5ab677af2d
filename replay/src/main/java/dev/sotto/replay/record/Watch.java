package dev.sotto.replay.record;

/** Hears how far recording is. */
public interface Watch {
  /**
   * So much is done.
   *
   * @param done offsets that were gone through, or records where their number is not known before
   * @param most how many there are; -1 where that is not known
   */
  void at(long done, long most);
}
