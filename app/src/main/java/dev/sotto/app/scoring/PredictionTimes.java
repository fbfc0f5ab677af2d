package dev.sotto.app.scoring;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * An event's time as any topic takes it for its prediction: Streams stops at a record without a
 * time, and brokers refuse one dated in the future. Such an event has the time at which it is
 * scored.
 */
final class PredictionTimes implements TimestampExtractor {
  @Override
  public long extract(ConsumerRecord<Object, Object> record, long partitionTime) {
    return of(record.timestamp(), System.currentTimeMillis());
  }

  static long of(long timestamp, long now) {
    return timestamp < 0 ? now : Math.min(timestamp, now);
  }
}
