package dev.sotto.replay.recording.container;

import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.topology.encryption.Encryption;
import java.util.List;
import java.util.function.Supplier;

/**
 * What shall be recorded.
 *
 * @param clusterId of the cluster; empty where there is none
 * @param topic its name
 * @param topicId its id; empty where there is none
 * @param request in words what was asked for: only the same request goes on with a file that was begun
 * @param ranges by partition, in ascending order; asked for where a file is begun, not where it is gone on with
 * @param schema the Avro schema of the values as JSON; empty where there is none
 * @param compression of blocks
 * @param encryption of blocks
 */
public record ContainerSpec(
    String clusterId,
    String topic,
    String topicId,
    String request,
    Supplier<List<RecordedRange>> ranges,
    String schema,
    Compression compression,
    Encryption encryption) {}
