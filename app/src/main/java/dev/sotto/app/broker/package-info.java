/**
 * A real Kafka broker inside this process; read {@link dev.sotto.app.broker.EmbeddedBroker} first.
 */
package dev.sotto.app.broker;
