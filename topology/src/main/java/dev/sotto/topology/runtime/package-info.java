/** Runs a learner on a cluster; start with {@link dev.sotto.topology.runtime.LearnerService}. */
package dev.sotto.topology.runtime;
