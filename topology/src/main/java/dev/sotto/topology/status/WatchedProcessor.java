package dev.sotto.topology.status;

import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * A processor that reports each record before it looks at it: so the age of what is not committed
 * does not depend on what records hold.
 */
public final class WatchedProcessor implements Processor<byte[], byte[], byte[], byte[]> {
  private final Processor<byte[], byte[], byte[], byte[]> processor;
  private final LearnerStatus status;

  /** Reports the records of a processor to a status. */
  public WatchedProcessor(
      Processor<byte[], byte[], byte[], byte[]> processor, LearnerStatus status) {
    this.processor = processor;
    this.status = status;
  }

  @Override
  public void init(ProcessorContext<byte[], byte[]> context) {
    processor.init(context);
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    status.recordTaken();
    processor.process(record);
  }

  @Override
  public void close() {
    status.recordsDropped();
    processor.close();
  }
}
