package dev.sotto.replay.play;

/**
 * The result of a play.
 *
 * @param digest of the recording
 * @param records number of records in the recording
 * @param before how many of them the topic held already when this run began
 * @param played how many this run has added
 * @param transactions their number, without the first one, which only marks the beginning
 * @param seconds from the first record that was due to the last commit
 */
public record PlayResult(
    String digest, long records, long before, long played, long transactions, double seconds) {
  /** Whether the whole recording is in the topic; false where the play was stopped. */
  public boolean complete() {
    return before + played == records;
  }
}
