/**
 * What a running learner may tell of itself: positions, rounds, times, nothing that depends on what
 * records hold, and of a transaction only once it has committed. Start with
 * {@link dev.sotto.topology.status.LearnerStatus}.
 */
package dev.sotto.topology.status;
