/**
 * Makes recordings: of topics, and of text files. Start with {@link dev.sotto.replay.record.TopicRecorder}.
 */
package dev.sotto.replay.record;
