/**
 * Makes recordings: of topics, and of text files. Start with {@link
 * dev.sotto.replay.recorder.TopicRecorder}.
 */
package dev.sotto.replay.recorder;
