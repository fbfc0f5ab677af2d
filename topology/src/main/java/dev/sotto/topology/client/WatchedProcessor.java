package dev.sotto.topology.client;

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
  private final StreamThreads threads;
  private ProcessorContext<byte[], byte[]> context;
  private String topic = "";
  private int partition;
  private BufferedEvents.Waiting waiting;
  private OpenTransactions.Holder transaction; // of the thread that took the last record

  /** Reports the records of a processor. */
  public WatchedProcessor(
      Processor<byte[], byte[], byte[], byte[]> processor, StreamThreads threads) {
    this.processor = processor;
    this.threads = threads;
  }

  @Override
  public void init(ProcessorContext<byte[], byte[]> context) {
    this.context = context;
    processor.init(context);
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    if (transaction == null || !transaction.isMine()) {
      transaction = threads.transactions().own();
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
      waiting = threads.buffered().of(new TopicPartition(topic, partition));
    }
    waiting.taken(last);
  }

  @Override
  public void close() {
    threads.transactions().dropped();
    processor.close();
  }
}
