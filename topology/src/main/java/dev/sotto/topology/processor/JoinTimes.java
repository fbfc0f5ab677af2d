package dev.sotto.topology.processor;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * The times at which the broker appended events and labels. What has no time comes behind all that
 * has: the end of a recording, which holds nothing up.
 */
public final class JoinTimes implements TimestampExtractor {
  @Override
  public long extract(ConsumerRecord<Object, Object> record, long partitionTime) {
    return record.timestamp() < 0 ? Long.MAX_VALUE : record.timestamp();
  }
}
