/**
 * The Kafka Streams topology of a learner; start with {@link dev.sotto.topology.LearnerTopology}.
 */
package dev.sotto.topology;
