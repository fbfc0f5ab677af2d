package dev.sotto.replay.play;

/** Listens to the progress of a play, in the thread that plays. */
public interface PlayProgress {
  /** Does nothing. */
  PlayProgress NONE = new PlayProgress() {
    @Override
    public void checked(long done, long most) {}

    @Override
    public void played(long done, long most, long waitMillis) {}
  };

  /**
   * Records have been checked before the first is sent.
   *
   * @param done their number
   * @param most the number of all records; -1 where it is not known yet
   */
  void checked(long done, long most);

  /**
   * Records have been committed.
   *
   * @param done their number, those of earlier runs included
   * @param waitMillis until the next one is due
   */
  void played(long done, long most, long waitMillis);
}
