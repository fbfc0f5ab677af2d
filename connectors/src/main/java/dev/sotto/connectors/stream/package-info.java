/**
 * Plays recorded stream files into a topic; start with {@link
 * dev.sotto.connectors.stream.RecordedStreamSource}.
 */
package dev.sotto.connectors.stream;
