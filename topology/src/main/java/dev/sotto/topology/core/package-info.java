/**
 * What a trainer does with each record, without Kafka: the log is the buffer, the store's own position the
 * truth. Start with {@link dev.sotto.topology.core.TrainerCore}.
 */
package dev.sotto.topology.core;
