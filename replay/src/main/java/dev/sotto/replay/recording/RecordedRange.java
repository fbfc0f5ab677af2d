package dev.sotto.replay.recording;

/**
 * What was recorded of one partition: every committed record with an offset from {@code from}
 * (inclusive) to {@code to} (exclusive). Offsets may be missing between them.
 *
 * @param to -1 where it is known only after the last record, as in a text file
 * @param records their number; -1 where it is not known
 */
public record RecordedRange(int partition, long from, long to, long records) {}
