package dev.sotto.replay.play;

/** Is told how far a play is, in the thread that plays. */
public interface PlayProgress {
  /** Nobody is told. */
  PlayProgress NONE = new PlayProgress() {
    @Override
    public void checked(long done, long most) {}

    @Override
    public void played(long done, long most, long waitMillis) {}
  };

  /**
   * So many records have been looked at before the first is sent.
   *
   * @param most how many there are; -1 where that is not known yet
   */
  void checked(long done, long most);

  /**
   * So many records are in the topic for good, those of earlier runs included.
   *
   * @param waitMillis how long it is until the next one is due
   */
  void played(long done, long most, long waitMillis);
}
