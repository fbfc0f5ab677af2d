package dev.sotto.topology.label;

/**
 * What became of labels. It depends on what records hold: it stays inside the trust boundary.
 *
 * @param inTime those that were joined
 * @param late those whose slot was closed before
 * @param repeated those of a slot that had one
 * @param unmatched those that no record of features claimed
 * @param unreadable those without a value, or an id that can be read
 */
public record LabelCounts(long inTime, long late, long repeated, long unmatched, long unreadable) {}
