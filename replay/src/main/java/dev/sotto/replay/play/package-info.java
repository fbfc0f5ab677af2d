/**
 * Plays a recording into a topic of a cluster, every record exactly once whatever happens; start
 * with {@link dev.sotto.replay.play.Player}.
 */
package dev.sotto.replay.play;
