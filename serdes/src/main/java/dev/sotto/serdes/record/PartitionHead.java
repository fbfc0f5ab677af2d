package dev.sotto.serdes.record;

/**
 * How far one partition has been learned from: the truth, of which the group's offset is only a
 * hint.
 *
 * @param position every slot below this offset is in the stored state
 * @param origin offset of the first record ever seen
 * @param nullSlots slots below the position that belong to no model; those of a block that was
 *     being read again at a restart may count twice
 * @param ledgerSequence sequence of the last ledger entry written
 * @param ledgerHash SHA-256 of that entry's bytes; 32 zero bytes where there is none
 * @param topicId id of the source topic
 * @param routing where records' models come from, and over how many partitions
 * @param lettersFrom where records begin that the group has passed but that were not set aside yet;
 *     -1 where there are none
 * @param handedTo one past the last record that the group has passed while reading again; -1 where
 *     it is not
 * @param semantics version of the arithmetic and of the noise
 * @param eventTopicId id of the event topic whose records an order announces; empty where the
 *     source topic holds the slots itself
 * @param lettersAnnounced offset of the announcement whose slots {@code lettersFrom} would be the
 *     first of, where it has not been reached; else -1
 * @param order a place in the order at or before every slot that may be read again; null where
 *     there is none. In layout ordered {@code position} and {@code lettersFrom} count the offsets
 *     that were announced, and {@code handedTo} is an offset of the order's topic
 */
public record PartitionHead(
    long position,
    long origin,
    long nullSlots,
    long ledgerSequence,
    byte[] ledgerHash,
    String topicId,
    String routing,
    long lettersFrom,
    long handedTo,
    int semantics,
    String eventTopicId,
    long lettersAnnounced,
    OrderPlace order) {
  /** A head where the source topic holds the slots itself. */
  public PartitionHead(
      long position,
      long origin,
      long nullSlots,
      long ledgerSequence,
      byte[] ledgerHash,
      String topicId,
      String routing,
      long lettersFrom,
      long handedTo,
      int semantics) {
    this(
        position,
        origin,
        nullSlots,
        ledgerSequence,
        ledgerHash,
        topicId,
        routing,
        lettersFrom,
        handedTo,
        semantics,
        "",
        -1,
        null);
  }
}
