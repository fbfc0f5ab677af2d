package dev.sotto.replay.recording;

/**
 * What was recorded of one partition: every committed record with an offset from {@code from} (inclusive) to
 * {@code to} (exclusive). Offsets without a record hold none.
 *
 * @param to -1 where it is known only behind the last record, as in a text file
 * @param records how many; -1 where that is not known
 */
public record RecordedRange(int partition, long from, long to, long records) {}
