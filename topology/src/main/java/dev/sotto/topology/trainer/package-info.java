/**
 * What a trainer does with each record, without Kafka: the log is the buffer, the store's own
 * position the truth. Start with {@link dev.sotto.topology.trainer.PartitionTrainer}.
 */
package dev.sotto.topology.trainer;
