/** Workers and partial sums of layout {@code rounds}, without Kafka; start with {@link
 * dev.sotto.topology.rounds.RoundWorker}. */
package dev.sotto.topology.rounds;
