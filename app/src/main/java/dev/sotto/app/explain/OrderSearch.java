package dev.sotto.app.explain;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.OrderPlace;
import dev.sotto.topology.log.SlotLog;
import dev.sotto.topology.log.SlotOrder;
import dev.sotto.topology.log.SourceRecord;
import dev.sotto.topology.read.PartitionReader;
import org.apache.kafka.common.TopicPartition;

/** Where events lie in the order of layout ordered, as far as its topic reaches back. */
final class OrderSearch {
  private static final String TASK = "order";

  private final PartitionReader reader;
  private final SlotOrder order;
  private final ReadProgress watch;

  /**
   * Reads the order.
   *
   * @param topic the order's
   * @param events the events'
   */
  OrderSearch(PartitionReader reader, String topic, String events, ReadProgress watch) {
    this.reader = reader;
    this.watch = watch;
    this.order = new SlotOrder((partition, from, to) -> {
      var records = reader.records(new TopicPartition(events, partition), from, to);
      return SlotLog.Reading.of(() -> {
        var record = records.get();
        return record == null ? null : SourceRecord.of(record.offset(), null, null);
      });
    });
    order.start(OrderPlace.beginning());
    TopicPartition where = new TopicPartition(topic, 0);
    long begin = reader.beginning(where);
    long end = reader.end(where);
    reader.read(where, begin, end, record -> {
      watch.at(TASK, record.offset() + 1 - begin, end - begin);
      order.add(record.offset(), record.timestamp(), Codecs.ANNOUNCEMENT.decode(record.value()));
      return true;
    });
  }

  /** Where learning of a partition began; -1 where it has not. */
  long beginOf(int partition) {
    return order.beginOf(partition);
  }

  /** The place of an event; -1 where it is not announced. */
  long placeOf(RecordPosition event) {
    return order.placeOf(event.partition(), event.offset());
  }

  /**
   * How many slots are open.
   *
   * @param last the last entry of the ledger, or null
   * @param place of a slot behind it
   * @return those before the place, and all
   */
  long[] slots(LedgerEntry last, long place) {
    long from = 0;
    if (last != null) {
      for (OffsetRange range : last.ranges()) {
        from = Math.max(from, order.placeOf(range.partition(), range.to() - 1) + 1);
      }
    }
    long start = from;
    long[] slots = new long[2];
    SlotLog.Reading reading = order.read(0, start, order.end());
    for (SourceRecord slot = reading.next(); slot != null; slot = reading.next()) {
      watch.at("open round", slot.place() + 1 - start, order.end() - start);
      slots[0] += slot.place() < place ? 1 : 0;
      slots[1]++;
    }
    return slots;
  }
}
