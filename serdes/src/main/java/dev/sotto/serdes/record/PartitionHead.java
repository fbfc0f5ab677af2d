package dev.sotto.serdes.record;

/**
 * How far one partition has been learned from: the truth, of which the group's offset is only a hint.
 *
 * @param position every slot below this offset is in the stored state
 * @param origin offset of the first record ever seen
 * @param nullSlots slots below the position that belong to no model
 * @param ledgerSequence sequence of the last ledger entry written
 * @param ledgerHash SHA-256 of that entry's bytes; 32 zero bytes where there is none
 * @param topicId id of the source topic
 * @param semantics version of the arithmetic and of the noise
 */
public record PartitionHead(
    long position,
    long origin,
    long nullSlots,
    long ledgerSequence,
    byte[] ledgerHash,
    String topicId,
    int semantics) {}
