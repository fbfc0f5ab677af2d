/**
 * Text files read as recordings, a line or a row at a time. Start with {@link
 * dev.sotto.replay.recording.text.TextRecording}.
 */
package dev.sotto.replay.recording.text;
