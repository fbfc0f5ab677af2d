/**
 * A Kafka Connect plug-in: recorded streams in ({@link dev.sotto.connectors.stream}), models out
 * ({@link dev.sotto.connectors.model}).
 */
package dev.sotto.connectors;
