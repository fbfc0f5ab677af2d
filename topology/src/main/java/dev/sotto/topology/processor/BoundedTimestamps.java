package dev.sotto.topology.processor;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * Event times, kept within what topics accept: Streams drops records of before 1970 unseen, and
 * brokers refuse changelog records dated in the future. Nothing that is learned or published
 * depends on them.
 */
public final class BoundedTimestamps implements TimestampExtractor {
  @Override
  public long extract(ConsumerRecord<Object, Object> record, long partitionTime) {
    return bounded(record.timestamp(), latest());
  }

  /** The upper bound now, asked for once a batch and not once a record. */
  static long latest() {
    return System.currentTimeMillis();
  }

  /** A time within those bounds. */
  static long bounded(long timestamp, long latest) {
    return Math.min(Math.max(0, timestamp), latest);
  }
}
