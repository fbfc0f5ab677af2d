package dev.sotto.topology.store;

import dev.sotto.learner.training.ModelState;

/**
 * One model's state after some round.
 *
 * @param position every slot of the model below this place is in this state
 * @param ledgerSequence sequence of the model's last ledger entry at that time, 0 before the first
 * @param versionPlace place of the first slot of the open version, or -1 where none of its rounds
 *     is closed
 * @param model round, running digest, noisy sums and mechanism
 */
public record StoredLearnerState(
    long position, long ledgerSequence, long versionPlace, ModelState model) {}
