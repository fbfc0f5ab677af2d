/** What is published, as text for Kafka's own console consumer. */
package dev.sotto.client.console;
