/** The Kafka Streams topology and its processors; start with {@link dev.sotto.topology.LearnerTopology}. */
package dev.sotto.topology;
