/**
 * A learner's own processors on a cluster in memory. {@link dev.sotto.replay.cluster.FaultFreeRun}
 * is the way in.
 */
package dev.sotto.replay.cluster;
