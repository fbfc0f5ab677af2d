/**
 * Committed logs that tasks read again after a restart, and in layout ordered the first time too,
 * in the order of the announcements ({@link dev.sotto.topology.log.SlotOrder}). Start with
 * {@link dev.sotto.topology.log.SlotLog}.
 */
package dev.sotto.topology.log;
