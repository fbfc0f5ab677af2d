/**
 * Recorded streams on disk: files that {@code record} has written, and text files read as if it
 * had. Start with {@link dev.sotto.replay.recording.Recording}.
 */
package dev.sotto.replay.recording;
