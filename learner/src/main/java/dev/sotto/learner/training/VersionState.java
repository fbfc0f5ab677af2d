package dev.sotto.learner.training;

/**
 * The version that is open after some round: what a restart needs beside the {@link ModelState}'s
 * sums to end it where an undisturbed learner does.
 *
 * @param firstRound of the open version; one more than the rounds closed where none of its rounds
 *     is closed yet
 * @param windowRound the first round of the open window of metrics
 * @param keyId name of the noise key of its rounds; empty where none of them is closed
 * @param since log time of the last version, before the first that of the first slot; 0
 *     where nothing has a log time
 * @param time log time of the newest slot, those of the open round included; 0 where nothing has
 *     a log time
 */
public record VersionState(long firstRound, long windowRound, String keyId, long since, long time) {
  /** Without a log time. */
  public static final long NO_TIME = 0;

  /** Right after a version that ended with a round, and with it a window of metrics. */
  public static VersionState after(long round) {
    return new VersionState(round + 1, round + 1, "", NO_TIME, NO_TIME);
  }
}
