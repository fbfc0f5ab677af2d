/**
 * Kafka's clients as the learner uses them: what is fetched and waits, how long transactions are
 * open, and when a commit is due. Start with {@link dev.sotto.topology.client.WatchedClients}.
 */
package dev.sotto.topology.client;
