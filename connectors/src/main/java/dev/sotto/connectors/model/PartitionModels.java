package dev.sotto.connectors.model;

import dev.sotto.serdes.avro.UnreadableRecordException;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.snapshot.PublishedModel;
import dev.sotto.serdes.snapshot.SnapshotAssembler;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The models of one partition, and the offset from which on their records are needed again. */
final class PartitionModels {
  private final SnapshotAssembler assembler = new SnapshotAssembler();
  private final Map<String, Long> open = new HashMap<>();

  /**
   * Takes one record; gives the version that it completes, if it does and the version verifies.
   *
   * @throws UnreadableRecordException where it is no part of a model
   */
  Optional<PublishedModel> accept(byte[] key, byte[] value, long offset) {
    if (key == null && value != null) {
      Codecs.CHUNK.decode(value); // of another topic, as events without keys are
    }
    Optional<PublishedModel> model = assembler.accept(key, value);
    if (key != null && value != null) {
      String name = new String(key, StandardCharsets.UTF_8);
      String id = name.substring(0, Math.max(0, name.lastIndexOf('/')));
      if (name.endsWith("/manifest")) {
        open.remove(id);
      } else {
        open.putIfAbsent(id, offset);
      }
    }
    return model;
  }

  /** The offset of the first chunk that no manifest has followed yet, or {@link Long#MAX_VALUE}. */
  long firstOpen() {
    return open.values().stream().mapToLong(Long::longValue).min().orElse(Long.MAX_VALUE);
  }
}
