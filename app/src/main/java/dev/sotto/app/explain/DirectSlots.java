package dev.sotto.app.explain;

import dev.sotto.serdes.record.PartitionHead;
import dev.sotto.topology.log.SlotLog;
import dev.sotto.topology.log.SlotReader;
import dev.sotto.topology.read.PartitionReader;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Slots of layout direct: the offsets of the record's partition.
 *
 * @param found what the ledger says of the record
 * @param events the log of the partition
 * @param reader asks where it begins and ends
 * @param heads of the stored state, by partition
 */
record DirectSlots(
    RecordPosition record,
    RoundSearch.Found found,
    SlotLog events,
    PartitionReader reader,
    Supplier<Map<Integer, PartitionHead>> heads)
    implements TrainedSlots {
  /** The ledger's word, or before its first entry that of the state. */
  @Override
  public Optional<Long> origin() {
    return found.origin() >= 0
        ? Optional.of(found.origin())
        : Optional.ofNullable(heads.get().get(record.partition())).map(PartitionHead::origin);
  }

  @Override
  public long place() {
    return record.offset();
  }

  @Override
  public SlotReader unpublished() {
    long from = found.last() == null ? origin().orElseThrow() : found.lastEnd();
    SlotReader slots = new SlotReader(events, record.partition(), OpenSlots.UNLIMITED);
    slots.start(Math.max(from, reader.beginning(record.where())));
    slots.readTo(reader.end(record.where()));
    return slots;
  }
}
