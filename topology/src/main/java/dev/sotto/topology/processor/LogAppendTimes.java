package dev.sotto.topology.processor;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * The times at which the broker appended records, as they are: where versions end depends on them.
 * That they are the broker's is checked at the start; Streams does not tell whose they are.
 */
public final class LogAppendTimes implements TimestampExtractor {
  @Override
  public long extract(ConsumerRecord<Object, Object> record, long partitionTime) {
    return time(record.timestamp());
  }

  /** A time that is no less than 0. */
  static long time(long timestamp) {
    return Math.max(0, timestamp);
  }
}
