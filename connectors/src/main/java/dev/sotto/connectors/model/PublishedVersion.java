package dev.sotto.connectors.model;

import dev.sotto.serdes.snapshot.PublishedModel;
import org.apache.kafka.common.TopicPartition;

/**
 * A verified version, and where its manifest stands.
 *
 * @param offset of the manifest
 */
record PublishedVersion(PublishedModel model, TopicPartition partition, long offset) {}
