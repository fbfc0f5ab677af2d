package dev.sotto.replay.recorder;

import dev.sotto.replay.recording.container.Compression;
import dev.sotto.topology.encryption.Encryption;
import java.nio.file.Path;

/**
 * Where to record to.
 *
 * @param file a new one, or an incomplete one of the same request, which is continued
 * @param schema the Avro schema of the values as JSON; empty for none
 * @param compression of its blocks
 * @param encryption of its blocks
 */
public record RecordTarget(
    Path file, String schema, Compression compression, Encryption encryption) {}
