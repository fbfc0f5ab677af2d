/**
 * Committed logs that tasks read again after a restart; start with
 * {@link dev.sotto.topology.log.SlotLog}.
 */
package dev.sotto.topology.log;
