package dev.sotto.serdes.record;

/**
 * One model's open round at a checkpoint.
 *
 * @param round rounds closed before it; it fits a {@link LearnerState} of the same round only
 * @param position every slot of the model below this offset is in it
 * @param firstOffset offset of the open round's first slot, or -1 where none is filled
 * @param skipped slots consumed after the budget was spent
 * @param sealedSum the encrypted exact sum; empty where no slot is filled
 * @param content the fingerprint of the slots so far; empty where no slot is filled
 */
public record OpenCheckpoint(
    long round, long position, long firstOffset, long skipped, byte[] sealedSum, byte[] content) {}
