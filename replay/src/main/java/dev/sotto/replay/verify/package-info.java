/**
 * Replays what a learner has learned from and compares it, byte for byte, with what it has
 * published; start with {@link dev.sotto.replay.verify.Verification}.
 */
package dev.sotto.replay.verify;
