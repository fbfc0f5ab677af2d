package dev.sotto.replay.verify;

import java.util.Optional;

/**
 * What was found of one model.
 *
 * @param modelId the model
 * @param published rounds that the ledger has
 * @param equal rounds, from the first on, whose ledger entries are equal
 * @param beyond rounds that the recording gives and the ledger does not have yet
 * @param versions published versions among the equal rounds that are still there
 * @param equalVersions those that were compared byte for byte; the others through the digest in the ledger, since this
 *     configuration releases other versions
 * @param metrics equal records of private metrics
 * @param difference empty where there is none
 * @param uncovered why rounds that were published did not come out of the recording; empty where all did
 */
public record ModelVerdict(
    String modelId,
    long published,
    long equal,
    long beyond,
    long versions,
    long equalVersions,
    long metrics,
    Optional<Difference> difference,
    String uncovered) {}
