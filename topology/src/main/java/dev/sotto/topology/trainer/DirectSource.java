package dev.sotto.topology.trainer;

import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.serdes.record.OrderPlace;
import dev.sotto.serdes.record.PartitionHead;
import dev.sotto.topology.log.ReadTime;
import dev.sotto.topology.log.SlotReader;
import dev.sotto.topology.log.SourceRecord;
import java.util.List;
import java.util.function.LongSupplier;

/** The slots of one partition: a place is an offset. */
final class DirectSource implements TrainerSource {
  private final SlotReader reader;
  private final int partition;
  private long newFrom;

  DirectSource(SlotReader reader, int partition) {
    this.reader = reader;
    this.partition = partition;
  }

  @Override
  public void within(ReadTime readTime) {
    reader.within(readTime);
  }

  @Override
  public boolean hasLeft(PartitionHead head) {
    return head.handedTo() > head.position();
  }

  @Override
  public long first(long offset) {
    return offset;
  }

  @Override
  public void start(PartitionHead head, long from, long offset, long handedTo) {
    if (head != null && head.lettersFrom() >= 0) {
      newFrom = Math.min(offset, head.lettersFrom());
      reader.startBehind(from, handedTo);
    } else {
      newFrom = offset;
      reader.start(from);
    }
  }

  @Override
  public void offer(SourceRecord record, long end) {
    reader.extendReach(end);
    reader.offer(record);
  }

  @Override
  public void leaveTo(long end) {
    reader.extendReach(end);
    reader.leaveRest();
  }

  @Override
  public SourceRecord next() {
    return reader.next();
  }

  @Override
  public long position() {
    return reader.position();
  }

  @Override
  public void rewind(long place) {
    reader.rewind(place);
  }

  @Override
  public boolean isBehind() {
    return reader.isBehind();
  }

  @Override
  public void goOn() {
    reader.goOn();
  }

  @Override
  public boolean isNew(long place) {
    return !reader.isFromLog() || place >= newFrom;
  }

  @Override
  public long newFrom() {
    return newFrom;
  }

  @Override
  public long newAnnounced() {
    return -1;
  }

  @Override
  public long handedTo() {
    return reader.reach();
  }

  @Override
  public boolean isOrder() {
    return false;
  }

  @Override
  public OrderPlace placeAt(long place, boolean inVersion) {
    return null;
  }

  @Override
  public void beginVersion(long place) {}

  @Override
  public List<OffsetRange> version(long from, long to) {
    return List.of(new OffsetRange(partition, from, to));
  }

  @Override
  public int partitionAt(long place) {
    return partition;
  }

  @Override
  public long offsetAt(long place) {
    return place;
  }

  @Override
  public void forgetBelow(long place) {}

  @Override
  public void closedBelow(LongSupplier place) {
    reader.forgetBelow(place);
  }

  @Override
  public void close() {
    reader.close();
  }
}
