package dev.sotto.connectors.record;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.connect.data.Struct;

/** What is published about a version of a model, as a flat struct. */
enum PublishedKind {
  /** A version without its weights, from the snapshots topic. */
  MANIFEST("ModelSnapshot", "version"),

  /** A piece of the weights, from the snapshots topic: of no use to a table. */
  CHUNK("WeightsChunk", "version"),

  /** What a version has cost, from the ledger topic. */
  LEDGER_ENTRY("LedgerEntry", "round"),

  /** Private metrics of a window of rounds, from the metrics topic. */
  METRICS("ModelMetrics", "last_round");

  private static final Map<ByteBuffer, PublishedKind> BY_HEADER = new HashMap<>();
  private static final Map<String, PublishedKind> BY_SCHEMA = new HashMap<>();

  static {
    for (PublishedKind kind : values()) {
      kind.record.headers().forEach(each -> BY_HEADER.put(each, kind));
      BY_SCHEMA.put(kind.record.schema().name(), kind);
    }
  }

  private final FlatRecord record;
  private final String version;

  PublishedKind(String record, String version) {
    this.record = new FlatRecord(record);
    this.version = version;
  }

  /** The kind of record that these are the first bytes of. */
  static Optional<PublishedKind> startingWith(ByteBuffer header) {
    return Optional.ofNullable(BY_HEADER.get(header));
  }

  /** The kind whose struct's schema has this name. */
  static Optional<PublishedKind> ofSchema(String name) {
    return Optional.ofNullable(BY_SCHEMA.get(name));
  }

  FlatRecord record() {
    return record;
  }

  /** The version that a struct of this kind belongs to: rounds done. */
  long version(Struct struct) {
    return struct.getInt64(version);
  }
}
