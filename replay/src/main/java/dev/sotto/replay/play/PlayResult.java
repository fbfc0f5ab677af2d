package dev.sotto.replay.play;

/**
 * What a play came to.
 *
 * @param topic where the records are now
 * @param digest of the recording
 * @param records how many the recording holds
 * @param before how many of them the topic held already when this run began
 * @param played how many this run has added
 * @param transactions how many it took, the first, which only says where it begins, not counted
 * @param seconds from the first record that was due to the last commit
 * @param complete whether all of the recording is in the topic; false where the play was stopped
 */
public record PlayResult(
    String topic,
    String digest,
    long records,
    long before,
    long played,
    long transactions,
    double seconds,
    boolean complete) {}
