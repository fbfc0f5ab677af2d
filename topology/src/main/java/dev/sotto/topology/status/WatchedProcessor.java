package dev.sotto.topology.status;

import dev.sotto.topology.batch.BatchProcessor;
import dev.sotto.topology.batch.EventBatch;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * A processor that reports each record, or each batch of them, before it looks at it: so the age of
 * what is not committed does not depend on what records hold.
 */
public final class WatchedProcessor implements Processor<byte[], byte[], byte[], byte[]> {
  private final Processor<byte[], byte[], byte[], byte[]> processor;
  private final LearnerStatus status;
  private ProcessorContext<byte[], byte[]> context;
  private String topic = "";
  private int partition;
  private BufferedEvents.Waiting waiting;
  private TransactionTimes.Holder transaction; // of the thread that took the last record

  /** Reports the records of a processor to a status. */
  public WatchedProcessor(
      Processor<byte[], byte[], byte[], byte[]> processor, LearnerStatus status) {
    this.processor = processor;
    this.status = status;
  }

  @Override
  public void init(ProcessorContext<byte[], byte[]> context) {
    this.context = context;
    processor.init(context);
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    if (transaction == null || !transaction.isMine()) {
      transaction = status.transaction();
    }
    transaction.taken();
    Optional<EventBatch> batch = EventBatch.of(record.headers());
    long last = batch.isPresent() ? batch.get().end() - 1 : 0;
    context
        .recordMetadata()
        .ifPresent(where -> taken(where, batch.isPresent() ? last : where.offset()));
    if (batch.isPresent()) {
      ((BatchProcessor) processor).process(batch.get().records());
    } else {
      processor.process(record);
    }
  }

  private void taken(RecordMetadata where, long last) {
    if (waiting == null || partition != where.partition() || !topic.equals(where.topic())) {
      topic = where.topic();
      partition = where.partition();
      waiting = status.buffered().of(new TopicPartition(topic, partition));
    }
    waiting.taken(last);
  }

  @Override
  public void close() {
    status.recordsDropped();
    processor.close();
  }
}
