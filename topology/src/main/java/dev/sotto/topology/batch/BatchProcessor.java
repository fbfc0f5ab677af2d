package dev.sotto.topology.batch;

import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.api.Processor;

/** A processor that takes records alone, or many of one input at once. */
public interface BatchProcessor extends Processor<byte[], byte[], byte[], byte[]> {
  /**
   * Takes records of one partition.
   *
   * @param records in the order of their offsets, at least one; their timestamps are as they were
   *     sent, and not yet as an extractor has them
   */
  void process(List<ConsumerRecord<byte[], byte[]>> records);
}
