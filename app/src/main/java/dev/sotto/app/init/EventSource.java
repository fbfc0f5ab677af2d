package dev.sotto.app.init;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Where events come from.
 *
 * @param name of the sample, for comments
 * @param topic to learn from
 * @param servers the brokers
 * @param schema the file of the Avro schema; empty for JSON and ready-made examples
 */
public record EventSource(String name, String topic, String servers, Optional<Path> schema) {}
