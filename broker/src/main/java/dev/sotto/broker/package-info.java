/**
 * A real Kafka broker inside this process; read {@link dev.sotto.broker.EmbeddedBroker} first.
 */
package dev.sotto.broker;
