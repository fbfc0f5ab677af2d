package dev.sotto.topology.batch;

import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Which records of a partition may be handed on together. */
public interface BatchRule {
  /** All of them. */
  BatchRule ANY = record -> 0;

  /** A number; records with different numbers are in different batches. */
  long group(ConsumerRecord<byte[], byte[]> record);
}
