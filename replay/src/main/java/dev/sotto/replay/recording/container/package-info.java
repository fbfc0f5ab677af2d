/**
 * Recordings as Avro container files, written and read through Avro's own file classes; records
 * themselves are encoded and decoded by hand, for speed. Start with {@link
 * dev.sotto.replay.recording.container.Container}.
 */
package dev.sotto.replay.recording.container;
