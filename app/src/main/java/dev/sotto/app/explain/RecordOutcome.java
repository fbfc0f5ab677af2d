package dev.sotto.app.explain;

/** What became of a record. */
public enum RecordOutcome {
  /** It filled a slot of a closed round. */
  IN_ROUND("it filled a slot of a round that is closed and paid for"),
  /** It lies in a round, open or closed, of the version that is filling. */
  IN_OPEN_VERSION("it lies in the open version, which is not published yet"),
  /** It lies in the round that is filling, which is a version. */
  IN_OPEN_ROUND("it lies in the open round, which is not closed yet"),
  /** It is committed, but not learned yet, and the open round is full without it. */
  WAITING("it waits for its turn: the learner is behind, or does not run"),
  /** No announcement names it yet. */
  NOT_ANNOUNCED("it waits for its turn: no announcement names it yet"),
  /** Learning began behind it. */
  BEFORE_ORIGIN("it lies before the place where learning began"),
  /** With late labels: no labelled event was made of it. */
  NOT_JOINED("it waits for its label, or lies before the place where labels were joined first"),
  /** Nothing was learned of its partition at all. */
  NOT_BEGUN("learning has not begun with its partition"),
  /** The topic ends before it. */
  NOT_WRITTEN("there is no such record: the topic ends before that offset"),
  /** Its transaction has not ended. */
  NOT_COMMITTED("it belongs to a transaction that has not ended yet"),
  /** Its transaction was aborted. */
  ABORTED("its transaction was aborted: it was never learned, and takes no slot"),
  /** The offset holds no record. */
  NO_RECORD("that offset holds no record, but the end of a transaction: it takes no slot"),
  /** Where offsets are slots: its transaction was aborted. */
  ABORTED_SLOT(
      "its transaction was aborted: it was never learned, and its offset is an empty slot"),
  /** Where offsets are slots: the offset holds no record. */
  EMPTY_SLOT("that offset holds no record, but the end of a transaction: it is an empty slot"),
  /** It belongs to no model of its partition. */
  NO_MODEL("it belongs to no model of its partition: no round has a slot for it"),
  /** Its model had ended before it came: the budget was spent, or its label has no range. */
  AFTER_BUDGET(
      "the budget of its model was spent before, or its label has no range: it was skipped"),
  /** The ledger has rounds before and behind it, but none with it. */
  UNEXPLAINED("the ledger has no round for it, although it should; see ./sotto ledger");

  private final String sentence;

  RecordOutcome(String sentence) {
    this.sentence = sentence;
  }

  /** Whether there is a record, though it may have been aborted. */
  public boolean isRecord() {
    return this != NOT_WRITTEN && this != NO_RECORD && this != EMPTY_SLOT;
  }

  /** One sentence without an end, about "it". */
  public String sentence() {
    return sentence;
  }
}
