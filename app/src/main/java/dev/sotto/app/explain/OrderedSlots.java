package dev.sotto.app.explain;

import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.OrderPlace;
import dev.sotto.topology.log.Place;
import dev.sotto.topology.log.SlotLog;
import dev.sotto.topology.log.SlotOrder;
import dev.sotto.topology.log.SlotReader;
import dev.sotto.topology.read.PartitionReader;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;

/** Slots of layout ordered: places in the order, as far as its topic reaches back. */
final class OrderedSlots implements TrainedSlots {
  private static final String TASK = "order";

  private final RecordPosition record;
  private final RoundSearch.Found found;
  private final SlotOrder order;

  /**
   * Reads the order.
   *
   * @param found what the ledger says of the record
   * @param events those that are announced
   * @param topic the order's
   */
  OrderedSlots(
      RecordPosition record,
      RoundSearch.Found found,
      SlotLog events,
      PartitionReader reader,
      String topic,
      ReadProgress watch) {
    this.record = record;
    this.found = found;
    this.order = new SlotOrder(events);
    order.start(OrderPlace.beginning());
    TopicPartition where = new TopicPartition(topic, 0);
    long begin = reader.beginning(where);
    long end = reader.end(where);
    reader.read(where, begin, end, each -> {
      watch.at(TASK, each.offset() + 1 - begin, end - begin);
      order.add(each.offset(), each.timestamp(), Codecs.ANNOUNCEMENT.decode(each.value()));
      return true;
    });
  }

  /** Where no announcement names the partition, every record of it waits for one. */
  @Override
  public Optional<Long> origin() {
    return Optional.of(Math.max(0, order.beginOf(record.partition())));
  }

  @Override
  public long place() {
    return order.placeOf(record.partition(), record.offset());
  }

  @Override
  public SlotReader unpublished() {
    long from = 0;
    if (found.last() != null) {
      for (OffsetRange range : found.last().ranges()) {
        from = Math.max(from, Place.behind(order.placeOf(range.partition(), range.to() - 1)));
      }
    }
    SlotReader slots = new SlotReader(order, record.partition(), OpenSlots.UNLIMITED);
    slots.start(from);
    slots.readTo(order.end());
    return slots;
  }
}
