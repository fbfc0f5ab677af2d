package dev.sotto.topology.processor;

import dev.sotto.learner.training.RoundSlices;
import dev.sotto.topology.log.ControlRecords;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * The logical clock of the rounds layout. Streams hands a task the record with the lowest time
 * among the heads of its partitions, and waits while one of them is empty: with these times that is
 * the barrier between rounds.
 */
public final class RoundTimestamps {
  private RoundTimestamps() {}

  /** Of events: by the round that their offset falls into; those before the first come at once. */
  public static TimestampExtractor ofEvents(RoundSlices slicing) {
    return new TimestampExtractor() {
      @Override
      public long extract(ConsumerRecord<Object, Object> event, long partitionTime) {
        long round = slicing.roundOf(event.partition(), event.offset());
        return round == 0 ? 0 : ControlRecords.eventTime(round);
      }
    };
  }

  /** Of control records: as their header says. */
  public static TimestampExtractor ofControl() {
    return new TimestampExtractor() {
      @Override
      public long extract(ConsumerRecord<Object, Object> control, long partitionTime) {
        return ControlRecords.time(control.headers());
      }
    };
  }
}
