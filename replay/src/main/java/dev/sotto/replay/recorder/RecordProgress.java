package dev.sotto.replay.recorder;

/** Listens to the progress of recording. */
public interface RecordProgress {
  /**
   * A part is done.
   *
   * @param done offsets that were gone through, or records where their number is not known before
   * @param most how many there are; -1 where that is not known
   */
  void at(long done, long most);
}
