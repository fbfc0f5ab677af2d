package dev.sotto.learner.participation;

/** The first record of an id, for ever: its history is a marker of one byte. */
final class FirstOfId implements Admission {
  private static final byte SEEN = 1;

  @Override
  public byte[] admit(byte[] history, long round) {
    HistoryFormat.checkRound(round);
    if (history == null) {
      return new byte[] {SEEN};
    }
    if (history.length != 1 || history[0] != SEEN) {
      throw new IllegalArgumentException("a history of the rule 'first of id' is the byte " + SEEN
          + ", but had " + history.length + " bytes"
          + (history.length == 0 ? "" : " and began with " + history[0]));
    }
    return null;
  }
}
