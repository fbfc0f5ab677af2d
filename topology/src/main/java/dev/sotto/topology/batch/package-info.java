/**
 * Records of one partition that Kafka Streams hands on together, so that what it does for each of
 * them is done once for many; start with {@link dev.sotto.topology.batch.EventBatch}.
 */
package dev.sotto.topology.batch;
