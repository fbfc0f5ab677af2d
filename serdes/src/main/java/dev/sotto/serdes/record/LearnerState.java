package dev.sotto.serdes.record;

import dev.sotto.learner.round.ModelState;

/**
 * One model's state after some round; stored in chunks of 512 KiB.
 *
 * @param position every slot of the model below this offset is in this state
 * @param ledgerSequence sequence of the model's last ledger entry at that time, 0 before the first
 * @param model round, running digest, noisy sums and mechanism
 */
public record LearnerState(long position, long ledgerSequence, ModelState model) {}
