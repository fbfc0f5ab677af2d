package dev.sotto.replay.recording.container;

import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.RecordingOrigin;
import dev.sotto.topology.encryption.Encryption;
import java.util.List;
import java.util.function.Supplier;

/**
 * What is to be recorded.
 *
 * @param origin where the records come from
 * @param request what is asked for, in words: only the same request continues a file
 * @param ranges by partition, in ascending order; used when a file is begun, not when it is
 *     continued
 * @param schema the Avro schema of the values as JSON; empty where there is none
 * @param compression of blocks
 * @param encryption of blocks
 */
public record ContainerSpec(
    RecordingOrigin origin,
    String request,
    Supplier<List<RecordedRange>> ranges,
    String schema,
    Compression compression,
    Encryption encryption) {
  Manifest manifest() {
    boolean encrypted = encryption.recording(new byte[0]).isPresent();
    return Manifest.begun(
        origin, new Manifest.Contents(request, compression, encrypted, schema), ranges.get());
  }
}
