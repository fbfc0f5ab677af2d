package dev.sotto.topology.core;

import dev.sotto.learner.round.ModelState;

/**
 * One model's state after some round.
 *
 * @param position every slot of the model below this offset is in this state
 * @param ledgerSequence sequence of the model's last ledger entry at that time, 0 before the first
 * @param model round, running digest, noisy sums and mechanism
 */
record LearnerState(long position, long ledgerSequence, ModelState model) {}
