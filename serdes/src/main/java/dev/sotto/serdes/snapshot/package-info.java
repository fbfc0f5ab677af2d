/**
 * Published model versions, put together and verified; start with {@link
 * dev.sotto.serdes.snapshot.SnapshotAssembler}.
 */
package dev.sotto.serdes.snapshot;
