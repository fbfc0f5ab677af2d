package dev.sotto.topology.log;

/**
 * Slots one after the other, each once, and again from where it is rewound to. It is pulled:
 * whoever takes a slot is done with it as he asks for the next one, and may rewind in between.
 */
public interface SlotSource {
  /** The next slot; null where there is none now. */
  SourceRecord next();

  /** Every slot below this place has been taken; the one that was handed out last has not. */
  long position();

  /**
   * Hands out again what begins at a place, instead of what follows the slot that was handed out
   * last, which has been taken.
   */
  void rewind(long place);

  /**
   * Whether slots that were handed over, or announced, are left for a later reading. A commit comes
   * first.
   */
  boolean isBehind();

  /** To be called behind a commit: slots that were left may be handed out again for a while. */
  void goOn();
}
