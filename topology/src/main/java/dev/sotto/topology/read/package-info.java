/**
 * Readers of what has been published, from committed data only; start with
 * {@link dev.sotto.topology.read.CommittedTopic}.
 */
package dev.sotto.topology.read;
