package dev.sotto.replay.recording.container;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.sotto.replay.recording.RecordedRange;

/**
 * Where the blocks of one partition are in a container.
 *
 * @param range what was recorded
 * @param start position of its first block; where it would be, if there is none
 * @param block number of encrypted blocks before it; 0 if not encrypted
 */
record PartitionSection(@JsonUnwrapped RecordedRange range, long start, long block) {}
