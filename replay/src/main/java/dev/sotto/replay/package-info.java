/** Recorded streams run through the learner again. Start with {@link dev.sotto.replay.Replay}. */
package dev.sotto.replay;
